/** A function that decodes UTF-8 and replaces each invalid sequence by U+FFFD. */
export type DecodeText = (bytes: Uint8Array, start: number, end: number) => string;

/**
 * Creates a decoder that works on every platform. The decoder keeps a byte order mark as an ordinary character, because
 * the reader removes the mark at the start of a stream.
 */
export function createTextDecoder(): DecodeText {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes, start, end) => decoder.decode(bytes.subarray(start, end));
}

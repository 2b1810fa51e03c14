/** Decodes UTF-8; each invalid sequence becomes U+FFFD. */
export type DecodeText = (bytes: Uint8Array, start: number, end: number) => string;

/** What every platform has. A byte order mark is a character like any other: it is dealt with where a stream begins. */
export function createTextDecoder(): DecodeText {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes, start, end) => decoder.decode(bytes.subarray(start, end));
}

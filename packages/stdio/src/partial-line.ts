import { ByteBuffer } from "./byte-buffer.js";
import type { DecodeText } from "./decode-text.js";

/** The bytes above which a line is decoded by blocks, so that a large message is never copied as a whole. */
const BLOCK_BYTES = 1_048_576;

/** The beginning of a line whose end has not arrived. */
export class PartialLine {
  readonly #decode: DecodeText;
  readonly #blockBytes: number;
  /** The decoded text of all bytes of the line before `#bytes`. */
  #text = "";
  readonly #bytes = new ByteBuffer();
  #size = 0;

  constructor(decode: DecodeText, blockBytes: number = BLOCK_BYTES) {
    this.#decode = decode;
    this.#blockBytes = blockBytes;
  }

  /** The number of bytes that have arrived. */
  get size(): number {
    return this.#size;
  }

  append(chunk: Uint8Array, start: number, end: number): void {
    if (this.#bytes.length + end - start > this.#blockBytes) this.#decodeBlock();
    this.#bytes.append(chunk, start, end);
    this.#size += end - start;
  }

  /** Returns the beginning of the text, at most `maxBytes` bytes of it. */
  head(maxBytes: number): string {
    if (this.#text !== "") return this.#text.slice(0, maxBytes);
    return this.#decode(this.#bytes.bytes, 0, Math.min(maxBytes, this.#bytes.length));
  }

  /** Returns the whole text and empties the line. */
  take(): string {
    const text = this.#text + this.#decode(this.#bytes.bytes, 0, this.#bytes.length);
    this.clear();
    return text;
  }

  clear(): void {
    this.#text = "";
    this.#bytes.clear();
    this.#size = 0;
  }

  #decodeBlock(): void {
    const { bytes } = this.#bytes;
    const end = endOfCharacters(bytes);
    const rest = bytes.slice(end);
    this.#text += this.#decode(bytes, 0, end);
    this.#bytes.clear();
    this.#bytes.append(rest, 0, rest.length);
  }
}

/** Returns where the last complete UTF-8 character ends. The rest is left for the next block. */
function endOfCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let missing = 1; missing <= 3 && missing <= length; missing += 1) {
    const byte = bytes[length - missing] ?? 0;
    if (byte < 0x80) return length;
    if (byte >= 0xc0) return sequenceLength(byte) > missing ? length - missing : length;
  }
  return length;
}

function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

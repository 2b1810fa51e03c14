import { MAX_LINE_BYTES } from "./input-limits.js";

const newline = 0x0a;

/** Splits a peer's bytes at `\n`, whatever their chunks. Unlike a transport, it returns raw lines. */
export class ByteLines {
  readonly #onLine: (line: Uint8Array | "too long") => void;
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  /**
   * @param onLine called with each line, without its `\n`;
   *
   * @param maxBytes a longer line is discarded, and reported as `"too long"`.
   */
  constructor(onLine: (line: Uint8Array | "too long") => void, maxBytes: number = MAX_LINE_BYTES) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  push(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      this.#add(bytes.subarray(start, end));
      this.#emit();
      start = end + 1;
    }
    if (start < bytes.length) this.#add(bytes.slice(start));
  }

  /** Ends the input. Bytes after the last newline count as a line. */
  end(): void {
    if (this.#bytes > 0) this.#emit();
  }

  #add(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else this.#parts.push(part);
  }

  #emit(): void {
    const line = this.#bytes > this.#maxBytes ? "too long" : joined(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    this.#onLine(line);
  }
}

/** Returns the bytes of all parts, in order. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0];
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

/** The capacity in bytes that is kept for the next message. A larger buffer is freed once its message is complete. */
const RETAINED_BYTES = 131_072;

/**
 * Collects the bytes of one message that arrives in pieces. Each byte is copied a constant number of times, however
 * small the pieces are. The bytes are copied so that the chunks can be freed, because a chunk can be a slice of a much
 * larger buffer.
 */
export class ByteBuffer {
  #bytes = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The collected bytes, valid until the next change. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  append(chunk: Uint8Array, start: number, end: number): void {
    const length = this.#length + end - start;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(chunk.subarray(start, end), this.#length);
    this.#length = length;
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > RETAINED_BYTES) this.#bytes = new Uint8Array(0);
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2, 4_096));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}

/** The number of chunks that are merged to one. */
const MERGED_CHUNKS = 1_000;

/**
 * The chunks of a body that is being received. A chunk is an object of more than a hundred bytes, and a client may send
 * a body in chunks of one byte. So many small chunks are merged from time to time.
 */
export class BodyChunks {
  /** Chunks that are the result of a merge. */
  readonly #merged: Uint8Array[] = [];
  #recent: Uint8Array[] = [];
  #size = 0;

  /** The number of bytes. */
  get size(): number {
    return this.#size;
  }

  /** The number of chunks in memory. */
  get count(): number {
    return this.#merged.length + this.#recent.length;
  }

  push(chunk: Uint8Array): void {
    this.#size += chunk.length;
    this.#recent.push(chunk);
    if (this.#recent.length < MERGED_CHUNKS) return;
    this.#merged.push(joined(this.#recent));
    this.#recent = [];
  }

  /** Returns all bytes. */
  join(): Uint8Array {
    return joined([...this.#merged, ...this.#recent]);
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The state of the search for a value between two marks. */
type Search =
  | { readonly name: "before"; readonly rest: Buffer }
  | { readonly name: "between"; readonly parts: Buffer[]; readonly rest: Buffer }
  | { readonly name: "found"; readonly value: string };

/**
 * Finds the text between the first two occurrences of a mark in a stream of bytes. It does not keep the bytes before
 * the first mark.
 *
 * Each byte is searched once, however the stream is split into chunks, because a shell can print megabytes line by line
 * before it runs the command.
 */
export class MarkedOutput {
  readonly #mark: Buffer;
  #search: Search = { name: "before", rest: Buffer.alloc(0) };
  #bytes = 0;

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  /** The number of bytes received, including those that were dropped. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a chunk and returns the value once both marks have arrived. */
  push(chunk: Buffer): string | undefined {
    this.#bytes += chunk.length;
    this.#search = this.#next(this.#search, chunk);
    return this.#search.name === "found" ? this.#search.value : undefined;
  }

  #next(search: Search, chunk: Buffer): Search {
    if (search.name === "found") return search;
    const bytes = Buffer.concat([search.rest, chunk]);
    const at = bytes.indexOf(this.#mark);
    if (search.name === "before") {
      if (at < 0) return { name: "before", rest: this.#undecided(bytes) };
      const between: Search = { name: "between", parts: [], rest: Buffer.alloc(0) };
      return this.#next(between, bytes.subarray(at + this.#mark.length));
    }
    if (at >= 0) {
      return { name: "found", value: Buffer.concat([...search.parts, bytes.subarray(0, at)]).toString("utf8") };
    }
    const rest = this.#undecided(bytes);
    // Each chunk is appended in place, because copying all parts for each chunk would take quadratic time
    const { parts } = search;
    parts.push(bytes.subarray(0, bytes.length - rest.length));
    return { name: "between", parts, rest };
  }

  /** Returns the end of `bytes` that can be the beginning of a mark. */
  #undecided(bytes: Buffer): Buffer {
    return bytes.subarray(Math.max(0, bytes.length - this.#mark.length + 1));
  }
}

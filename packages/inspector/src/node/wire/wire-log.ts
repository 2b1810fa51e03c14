import type { RecordingSink } from "@acp-kit/testing/recording";

/** The lines of a recording in progress. Several readers can read them, each from its own position. */
export class WireLog implements RecordingSink {
  readonly #lines: string[] = [];
  readonly #listeners = new Set<() => void>();
  #header = "";

  /** The first line, which is not an entry. */
  get header(): string {
    return this.#header;
  }

  /** The number of entries. */
  get length(): number {
    return this.#lines.length;
  }

  write(line: string): void {
    if (this.#header === "") {
      this.#header = line;
      return;
    }
    this.#lines.push(line);
    for (const listener of this.#listeners) listener();
  }

  /** Returns the lines from a position on, each with its line end, up to about `maxLength` characters. */
  read(from: number, maxLength: number): readonly string[] {
    let length = 0;
    let to = from;
    while (to < this.#lines.length && (to === from || length < maxLength)) {
      length += this.#lines[to]?.length ?? 0;
      to += 1;
    }
    return this.#lines.slice(from, to);
  }

  /** Calls the listener after each new line. The returned function removes the listener. */
  onLine(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The whole recording, as the content of a file. */
  text(): string {
    return this.#header + this.#lines.join("");
  }
}

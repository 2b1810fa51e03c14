/** What was written before: arrow up goes back through it, arrow down comes forward to what was being written. */
export class History {
  readonly #entries: string[];
  #position: number;
  /** What was being written when going back began. */
  #draft = "";

  constructor(entries: readonly string[] = []) {
    this.#entries = [...entries];
    this.#position = this.#entries.length;
  }

  add(text: string): void {
    if (this.#entries.at(-1) !== text) this.#entries.push(text);
    this.#position = this.#entries.length;
    this.#draft = "";
  }

  /** The entry before; `undefined` when there is none. */
  back(written: string): string | undefined {
    if (this.#position === 0) return undefined;
    if (this.#position === this.#entries.length) this.#draft = written;
    this.#position -= 1;
    return this.#entries[this.#position];
  }

  /** The entry after, at last what was being written; `undefined` when that is it. */
  forward(): string | undefined {
    if (this.#position === this.#entries.length) return undefined;
    this.#position += 1;
    return this.#position === this.#entries.length ? this.#draft : this.#entries[this.#position];
  }
}

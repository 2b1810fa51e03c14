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

  /** Where the last entry is, before a position, that has this text in it, whatever its case. */
  find(text: string, before: number = this.#entries.length): number | undefined {
    const wanted = text.toLowerCase();
    const at = this.#entries.slice(0, before).findLastIndex((entry) => entry.toLowerCase().includes(wanted));
    return at < 0 ? undefined : at;
  }

  /** The entry at a position that {@link find} has given. */
  entry(at: number): string | undefined {
    return this.#entries[at];
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

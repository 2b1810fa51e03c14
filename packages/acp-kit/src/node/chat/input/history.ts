/** The previous prompts. "Up" selects earlier ones, "down" later ones and finally the unfinished text. */
export class History {
  readonly #entries: string[];
  #position: number;
  /** The unfinished text that the input line contained before the first call of {@link back}. */
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

  /** Goes to the previous entry and returns it, or returns `undefined` if there is none. */
  back(written: string): string | undefined {
    if (this.#position === 0) return undefined;
    if (this.#position === this.#entries.length) this.#draft = written;
    this.#position -= 1;
    return this.#entries[this.#position];
  }

  /** Returns the next entry. After the last entry, returns the unfinished text; after that, `undefined`. */
  forward(): string | undefined {
    if (this.#position === this.#entries.length) return undefined;
    this.#position += 1;
    return this.#position === this.#entries.length ? this.#draft : this.#entries[this.#position];
  }
}

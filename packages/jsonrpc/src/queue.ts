/** How many taken entries a queue holds before it considers freeing them. */
const COMPACT_AT = 1_024;

/**
 * First in, first out, each step in amortised constant time: calling `shift` on an array of 200,000 entries would be quadratic. It holds objects, so that
 * `undefined` means empty.
 */
export class Queue<Entry extends object> {
  #entries: (Entry | undefined)[] = [];
  /** Index of the first entry not taken. */
  #head = 0;

  get length(): number {
    return this.#entries.length - this.#head;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Takes the first entry; `undefined` when the queue is empty. */
  take(): Entry | undefined {
    const entry = this.#entries[this.#head];
    if (entry === undefined) return undefined;
    this.#entries[this.#head] = undefined;
    this.#head += 1;
    if (this.#head === this.#entries.length) this.clear();
    else if (this.#head > COMPACT_AT && this.#head > this.length) this.#compact();
    return entry;
  }

  clear(): void {
    this.#entries = [];
    this.#head = 0;
  }

  #compact(): void {
    this.#entries = this.#entries.slice(this.#head);
    this.#head = 0;
  }
}

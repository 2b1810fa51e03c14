/** The number of taken entries after which the queue frees them. */
const COMPACT_AT = 1_024;

/**
 * A first-in, first-out queue in which each step takes amortised constant time. An array is not used, because calling
 * `shift` on a large array takes linear time. Entries must be objects, because `undefined` means that the queue is
 * empty.
 */
export class Queue<Entry extends object> {
  #entries: (Entry | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#entries.length - this.#head;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Removes and returns the first entry, or returns `undefined` if the queue is empty. */
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

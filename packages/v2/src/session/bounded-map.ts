/** A map that forgets its oldest entry if it has too many. An entry that is set again becomes the newest. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;
  readonly #onForgotten: ((value: Value) => void) | undefined;

  /** @param onForgotten receives each entry that the map forgets. */
  constructor(limit: number, onForgotten?: (value: Value) => void) {
    this.#limit = limit;
    this.#onForgotten = onForgotten;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.forgetOldest();
  }

  /** Forgets the oldest entry. */
  forgetOldest(): void {
    for (const [key, value] of this.#entries) {
      this.#entries.delete(key);
      this.#onForgotten?.(value);
      return;
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }
}

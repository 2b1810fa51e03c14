/** The number of characters of all texts of one map, above which the oldest entries are forgotten. */
const MAX_CHARACTERS = 1_000_000;

/**
 * A map that forgets its oldest entries if it has too many, or if the keys and values that are texts are too long
 * together. An entry that is set again becomes the newest. The newest entry is never forgotten.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;
  readonly #onForgotten: ((value: Value) => void) | undefined;
  #characters = 0;

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
    this.delete(key);
    this.#entries.set(key, value);
    this.#characters += lengthOf(key) + lengthOf(value);
    while (this.#entries.size > this.#limit || (this.#characters > MAX_CHARACTERS && this.#entries.size > 1))
      this.forgetOldest();
  }

  /** Forgets the oldest entry. */
  forgetOldest(): void {
    for (const [key, value] of this.#entries) {
      this.delete(key);
      this.#onForgotten?.(value);
      return;
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  delete(key: Key): void {
    if (!this.#entries.has(key)) return;
    this.#characters -= lengthOf(key) + lengthOf(this.#entries.get(key));
    this.#entries.delete(key);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

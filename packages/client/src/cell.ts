import type { Readable } from "./transcript/readable.js";

/** A value that is replaced, never changed, and those who want to know. */
export class Cell<T> implements Readable<T> {
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get snapshot(): T {
    return this.#value;
  }

  readonly getSnapshot = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    const entry = { listener }; // the same function may subscribe twice
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  set(value: T): void {
    this.#value = value;
    for (const { listener } of [...this.#listeners]) {
      try {
        listener();
      } catch {
        // Who only looks changes nothing.
      }
    }
  }
}

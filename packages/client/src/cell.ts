import type { Readable } from "./transcript/readable.js";

/** Holds an immutable value. `set` replaces the value and calls the subscribers. */
export class Cell<T> implements Readable<T> {
  // The set is created for the first subscriber, because each session has two cells, and most never have a subscriber.
  #listeners: Set<{ readonly listener: () => void }> | undefined;
  #getSnapshot: (() => T) | undefined;
  #subscribe: ((listener: () => void) => () => void) | undefined;
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get snapshot(): T {
    return this.#value;
  }

  get getSnapshot(): () => T {
    this.#getSnapshot ??= () => this.#value;
    return this.#getSnapshot;
  }

  get subscribe(): (listener: () => void) => () => void {
    this.#subscribe ??= (listener) => {
      const entry = { listener }; // the same function may subscribe twice
      this.#listeners ??= new Set();
      this.#listeners.add(entry);
      return () => void this.#listeners?.delete(entry);
    };
    return this.#subscribe;
  }

  set(value: T): void {
    this.#value = value;
    for (const { listener } of [...(this.#listeners ?? [])]) {
      try {
        listener();
      } catch {
        // An error that one subscriber throws must not keep the others from being called.
      }
    }
  }
}

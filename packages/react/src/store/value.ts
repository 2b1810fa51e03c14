import type { Readable } from "@acp-kit/client";

/** A value that can be replaced, and its subscribers. */
export class Value<T> implements Readable<T> {
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
    if (Object.is(this.#value, value)) return;
    this.#value = value;
    for (const { listener } of [...this.#listeners]) listener();
  }
}

/** A readable value that never changes, for hooks that have nothing to read yet. */
export function constant<T>(value: T): Readable<T> {
  return { snapshot: value, getSnapshot: () => value, subscribe: () => () => {} };
}

import type { Readable } from "@acp-kit/client";

/** A value that can be replaced, and its subscribers. */
export class Value<T> implements Readable<T> {
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  readonly #onObserved: (isObserved: boolean) => void;
  #value: T;

  /**
   * @param onObserved called when the first subscriber has subscribed, and when the last subscriber has unsubscribed.
   */
  constructor(value: T, onObserved: (isObserved: boolean) => void = () => {}) {
    this.#value = value;
    this.#onObserved = onObserved;
  }

  get isObserved(): boolean {
    return this.#listeners.size > 0;
  }

  get snapshot(): T {
    return this.#value;
  }

  readonly getSnapshot = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    const entry = { listener }; // the same function may subscribe twice
    this.#listeners.add(entry);
    if (this.#listeners.size === 1) this.#onObserved(true);
    return () => {
      if (this.#listeners.delete(entry) && !this.isObserved) this.#onObserved(false);
    };
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

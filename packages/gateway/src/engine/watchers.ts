/** The listeners for changes of sessions in this process. A session is named by its `keyName`. */
export class Watchers {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Calls `onChange` after changes of a session. The returned function removes the listener. */
  add(name: string, onChange: () => void): () => void {
    // A new function for each call, because a set holds the same function only once
    const listener = (): void => onChange();
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => {
      if (listeners.delete(listener) && listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name);
    };
  }

  /** Calls the listeners asynchronously, as a remote engine would, so that a listener never runs inside an append. */
  notify(name: string): void {
    const listeners = this.#listeners.get(name);
    if (listeners === undefined) return;
    void Promise.resolve().then(() => {
      for (const listener of [...listeners]) if (listeners.has(listener)) listener();
    });
  }
}

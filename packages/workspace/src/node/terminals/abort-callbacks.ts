/** Calls callbacks when a signal aborts, with one listener, because Node reports an eleventh as a leak. */
export class AbortCallbacks {
  readonly #callbacks = new Map<AbortSignal, { readonly all: Set<() => void>; readonly listener: () => void }>();

  /** Calls `callback` when `signal` aborts, or at once if it has aborted. Returns a function that removes it. */
  add(signal: AbortSignal, callback: () => void): () => void {
    if (signal.aborted) {
      callback();
      return () => {};
    }
    const { all, listener } = this.#callbacks.get(signal) ?? this.#listen(signal);
    all.add(callback);
    return () => {
      all.delete(callback);
      if (all.size > 0 || this.#callbacks.get(signal)?.all !== all) return;
      this.#callbacks.delete(signal);
      signal.removeEventListener("abort", listener);
    };
  }

  #listen(signal: AbortSignal): { readonly all: Set<() => void>; readonly listener: () => void } {
    const all = new Set<() => void>();
    const listener = (): void => {
      this.#callbacks.delete(signal);
      for (const callback of all) callback();
    };
    const entry = { all, listener };
    this.#callbacks.set(signal, entry);
    signal.addEventListener("abort", listener, { once: true });
    return entry;
  }
}

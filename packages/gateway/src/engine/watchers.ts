import { keyName } from "../principal.js";
import type { SessionKey } from "./session-record.js";

/** Who wants to know of changes of a session, in this process. */
export class Watchers {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Calls `onChange` after changes of a session; the returned function ends that. */
  add(key: SessionKey, onChange: () => void): () => void {
    const name = keyName(key);
    const listener = (): void => onChange(); // one for each call, so that each is ended by itself
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => {
      if (listeners.delete(listener) && listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name);
    };
  }

  /** Asynchronously, as an engine elsewhere would: a listener never runs inside an append. */
  notify(key: SessionKey): void {
    const listeners = this.#listeners.get(keyName(key));
    if (listeners === undefined) return;
    void Promise.resolve().then(() => {
      for (const listener of [...listeners]) if (listeners.has(listener)) listener();
    });
  }
}

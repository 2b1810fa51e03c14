import { Refusal } from "./refusal.js";

/** The number of POSTs whose outcomes are kept. A client sends a POST again soon, or never. */
const MAX_OUTCOMES = 256;

/**
 * The outcomes of the last POSTs of a connection that had the header `Idempotency-Key`. If a client sends a POST again,
 * because it lost the response, the POST gets the outcome of the first one and is not executed again.
 */
export class KeyedPosts {
  readonly #outcomes = new Map<string, Promise<void>>();

  /** Returns the outcome of the POST with this key, which may still be pending; `undefined` if there is none. */
  outcome(key: string): Promise<void> | undefined {
    return this.#outcomes.get(key);
  }

  /** Executes a POST once for each key. Forgets a POST that the client may send again later. */
  once(key: string, execute: () => Promise<void>): Promise<void> {
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const outcome = execute();
    this.#outcomes.set(key, outcome);
    outcome.catch((error) => {
      if (error instanceof Refusal && error.status === 429) this.#outcomes.delete(key);
    });
    if (this.#outcomes.size > MAX_OUTCOMES) {
      const oldest = this.#outcomes.keys().next();
      if (!oldest.done) this.#outcomes.delete(oldest.value);
    }
    return outcome;
  }
}

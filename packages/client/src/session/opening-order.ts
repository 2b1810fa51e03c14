import { abortable } from "../abortable.js";

/**
 * Runs the calls that open a session one after the other, and after the calls that close it. If two loads of a session
 * ran at the same time, the history of one would count as the history of the other.
 */
export class OpeningOrder {
  /** For each session id, a promise that resolves when all calls so far have settled. */
  readonly #settled = new Map<string, Promise<unknown>>();

  /**
   * Runs a call that opens a session, when the earlier calls for the session have settled. Rejects if `signal` aborts
   * before.
   */
  open<Result>(
    sessionId: string,
    { signal }: { readonly signal?: AbortSignal },
    run: () => Promise<Result>,
  ): Promise<Result> {
    const before = this.#settled.get(sessionId);
    const call = before === undefined ? run() : abortable(before, signal).then(run);
    this.add(sessionId, call);
    return call;
  }

  /** Lets later calls that open the session wait for this call. */
  add(sessionId: string, call: Promise<unknown>): void {
    const settled = Promise.allSettled([this.#settled.get(sessionId), call]).then(() => {
      if (this.#settled.get(sessionId) === settled) this.#settled.delete(sessionId);
    });
    this.#settled.set(sessionId, settled);
  }
}

import type { RequestId } from "@acp-kit/jsonrpc";

/** The number of kept outcomes. A few are enough: a client has few calls in flight, and does not repeat a call after it has received the response. */
const MAX_SETTLED = 64;

/** The outcomes of one client's requests, so that a repeated request is not executed twice. */
export class CallOutcomes {
  readonly #calls = new Map<string, Promise<unknown>>();
  #settled: string[] = [];

  /** Executes a request once for each id. A repeated id gets the same outcome. */
  once(id: RequestId, work: () => Promise<unknown>): Promise<unknown> {
    const name = `${typeof id}/${id}`;
    const known = this.#calls.get(name);
    if (known !== undefined) return known;
    const outcome = work();
    this.#calls.set(name, outcome);
    const settled = (): void => {
      this.#settled.push(name);
      while (this.#settled.length > MAX_SETTLED) this.#calls.delete(this.#settled.shift() as string);
    };
    outcome.then(settled, settled);
    return outcome;
  }
}

import type { RequestId } from "@acp-kit/jsonrpc";

/** The maximum number of stored outcomes. A few are enough: a client has few pending requests, and does not repeat a request after it has received the response. */
const MAX_SETTLED = 64;

/** The outcomes of one client's requests, so that a repeated request is not executed twice. */
export class CallOutcomes {
  readonly #calls = new Map<string, Promise<unknown>>();
  #settled: string[] = [];

  /** Executes a request once. If a request has the id of an earlier one, returns the outcome of the earlier one. */
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

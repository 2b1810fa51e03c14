import type { RequestId } from "@acp-kit/jsonrpc";

/** Settled calls whose outcome is kept. A client has few at once, and sends none again that it has the response of. */
const MAX_SETTLED = 64;

/** The requests of one client, so that one that is sent again is not executed again. */
export class CallOutcomes {
  readonly #calls = new Map<string, Promise<unknown>>();
  #settled: string[] = [];

  /** Executes a request once: the same id gets the same outcome. */
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

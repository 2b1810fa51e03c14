import type { RequestId } from "@acp-kit/jsonrpc";
import { memoryOf } from "@acp-kit/jsonrpc/internal";

/**
 * The maximum number of stored outcomes. A few are enough: a client has few pending requests, and does not repeat a
 * request after it has received the response.
 */
const MAX_SETTLED = 64;

/** The maximum memory of the stored outcomes, in bytes. The newest outcome is always stored. */
const MAX_SETTLED_BYTES = 1_048_576;

/** The outcomes of one client's requests, so that a repeated request is not executed twice. */
export class CallOutcomes {
  readonly #calls = new Map<string, Promise<unknown>>();
  #settled: { readonly name: string; readonly bytes: number }[] = [];
  #bytes = 0;

  /** Executes a request once. If a request has the id of an earlier one, returns the outcome of the earlier one. */
  once(id: RequestId, work: () => Promise<unknown>): Promise<unknown> {
    const name = `${typeof id}/${id}`;
    const known = this.#calls.get(name);
    if (known !== undefined) return known;
    const outcome = work();
    this.#calls.set(name, outcome);
    const settled = (value: unknown): void => {
      const bytes = memoryOf(value);
      this.#settled.push({ name, bytes });
      this.#bytes += bytes;
      while (this.#settled.length > MAX_SETTLED || (this.#bytes > MAX_SETTLED_BYTES && this.#settled.length > 1))
        this.#forgetOldest();
    };
    outcome.then(settled, () => settled(undefined));
    return outcome;
  }

  #forgetOldest(): void {
    const oldest = this.#settled.shift();
    if (oldest === undefined) return;
    this.#calls.delete(oldest.name);
    this.#bytes -= oldest.bytes;
  }
}

import type { IncomingRequest } from "./incoming-request.js";
import type { RequestId } from "./message.js";

/** The requests of the peer that have no answer yet. */
export class OpenRequests {
  readonly #all = new Set<IncomingRequest>();
  readonly #byId = new Map<RequestId, IncomingRequest>();
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  get size(): number {
    return this.#all.size;
  }

  add(request: IncomingRequest): void {
    this.#all.add(request);
    this.#byId.set(request.id, request);
  }

  /** The requests with exactly this id: `"5"` is not `5`. A careful peer has one at most; a careless one reuses ids, or always says `null`. */
  withId(id: unknown): IncomingRequest[] {
    // The map holds one request of each id at most, so the sizes tell whether there was more than one of any.
    if (this.#all.size > this.#byId.size) return [...this.#all].filter((request) => request.id === id);
    const request = this.#byId.get(id as RequestId);
    return request === undefined ? [] : [request];
  }

  remove(request: IncomingRequest): void {
    this.#all.delete(request);
    this.#byId.delete(request.id);
    if (this.#all.size === 0) this.#onEmpty();
  }

  /** The connection ends: every handler's signal aborts. */
  abortAll(reason: unknown): void {
    for (const request of [...this.#all]) request.abort(reason);
  }

  /** Nobody can be answered any more. */
  clear(): void {
    this.#all.clear();
    this.#byId.clear();
  }

  [Symbol.iterator](): Iterator<IncomingRequest> {
    return [...this.#all][Symbol.iterator]();
  }
}

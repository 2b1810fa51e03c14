import type { IncomingRequest } from "./incoming-request.js";

/** The requests of the peer that have no answer yet. */
export class OpenRequests {
  /** In no order, and each knows its place. */
  #requests: IncomingRequest[] = [];
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  get size(): number {
    return this.#requests.length;
  }

  add(request: IncomingRequest): void {
    request.place = this.#requests.push(request) - 1;
  }

  /** The requests with exactly this id: `"5"` is not `5`. Of a careful peer there is one at most; a careless one reuses ids, or always says `null`. */
  withId(id: unknown): IncomingRequest[] {
    return this.#requests.filter((request) => request.id === id);
  }

  remove(request: IncomingRequest): void {
    const { place } = request;
    if (this.#requests[place] !== request) return; // abandoned
    const last = this.#requests.pop();
    if (last !== undefined && last !== request) {
      last.place = place;
      this.#requests[place] = last;
    }
    if (this.size === 0) this.#onEmpty();
  }

  all(): IncomingRequest[] {
    return [...this.#requests];
  }

  /** Nobody can be answered any more: every handler's signal aborts. */
  abandon(reason: unknown): void {
    const all = this.#requests;
    this.#requests = [];
    for (const request of all) request.abort(reason);
  }
}

import type { IncomingRequest } from "./incoming-request.js";

/** The requests of the peer that have no response yet. */
export class OpenRequests {
  /** In no order; each request knows its index. */
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

  /** Returns the requests with exactly this id: `"5"` is not `5`. Usually there is one at most; some peers reuse ids, or always send `null`. */
  withId(id: unknown): IncomingRequest[] {
    return this.#requests.filter((request) => request.id === id);
  }

  remove(request: IncomingRequest): void {
    const { place } = request;
    if (this.#requests[place] !== request) return; // its response will not be sent
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

  /** Called when no response can be sent any more: every handler's signal aborts. */
  abandon(reason: unknown): void {
    const all = this.#requests;
    this.#requests = [];
    for (const request of all) request.abort(reason);
  }
}

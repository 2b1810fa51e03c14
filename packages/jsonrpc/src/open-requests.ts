import type { IncomingRequest } from "./incoming-request.js";

/** The requests of the peer that have no response yet. */
export class OpenRequests {
  /** The requests in no particular order. Each request knows its index (`place`). */
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

  /**
   * Returns the requests with exactly this id (`"5"` is not `5`). There can be more than one, because some peers reuse
   * ids, or always send `null`.
   */
  withId(id: unknown): IncomingRequest[] {
    return this.#requests.filter((request) => request.id === id);
  }

  remove(request: IncomingRequest): void {
    const { place } = request;
    if (this.#requests[place] !== request) return; // `abandon` has removed it
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

  /** Removes all requests and aborts the signals of their handlers. Called when no response can be sent any more. */
  abandon(reason: unknown): void {
    const all = this.#requests;
    this.#requests = [];
    for (const request of all) request.abort(reason);
  }
}

import type { IncomingRequest } from "./incoming-request.js";

/** The requests of the peer that have no response yet. */
export class OpenRequests {
  /** The requests in no particular order. Each request knows its index (`place`). */
  #requests: IncomingRequest[] = [];
  /**
   * The requests that the peer has not cancelled, by id. It is created at the first cancel, because few peers cancel
   * requests, and a `Map` whose entries are added and deleted for every request is slow.
   */
  #byId: Map<unknown, Set<IncomingRequest>> | undefined;
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  get size(): number {
    return this.#requests.length;
  }

  add(request: IncomingRequest): void {
    request.place = this.#requests.push(request) - 1;
    if (this.#byId !== undefined) register(this.#byId, request);
  }

  /**
   * Returns the requests with exactly this id (`"5"` is not `5`), except those that an earlier call has returned. There
   * can be more than one, because some peers reuse ids, or always send `null`.
   */
  takeCancelled(id: unknown): Iterable<IncomingRequest> {
    if (this.#byId === undefined) {
      this.#byId = new Map();
      for (const request of this.#requests) register(this.#byId, request);
    }
    const requests = this.#byId.get(id) ?? [];
    this.#byId.delete(id);
    return requests;
  }

  remove(request: IncomingRequest): void {
    const { place } = request;
    if (this.#requests[place] !== request) return; // `abandon` has removed it
    const last = this.#requests.pop();
    if (last !== undefined && last !== request) {
      last.place = place;
      this.#requests[place] = last;
    }
    const sameId = this.#byId?.get(request.id);
    sameId?.delete(request);
    if (sameId?.size === 0) this.#byId?.delete(request.id);
    if (this.size === 0) {
      this.#byId = undefined;
      this.#onEmpty();
    }
  }

  all(): IncomingRequest[] {
    return [...this.#requests];
  }

  /** Removes all requests and aborts the signals of their handlers. Called when no response can be sent any more. */
  abandon(reason: unknown): void {
    const all = this.#requests;
    this.#requests = [];
    this.#byId = undefined;
    for (const request of all) request.abort(reason);
  }
}

function register(byId: Map<unknown, Set<IncomingRequest>>, request: IncomingRequest): void {
  const sameId = byId.get(request.id);
  if (sameId === undefined) byId.set(request.id, new Set([request]));
  else sameId.add(request);
}

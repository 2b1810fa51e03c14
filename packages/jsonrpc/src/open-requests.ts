import type { IncomingRequest } from "./incoming-request.js";
import type { RequestId } from "./message.js";

/** The requests of the peer that have no answer yet. */
export class OpenRequests {
  readonly #byId = new Map<RequestId, IncomingRequest>();
  /** Those whose id another has taken over: a careless peer reuses ids, or always says `null`. */
  readonly #shadowed = new Set<IncomingRequest>();
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  get size(): number {
    return this.#byId.size + this.#shadowed.size;
  }

  add(request: IncomingRequest): void {
    const other = this.#byId.get(request.id);
    if (other !== undefined) this.#shadowed.add(other);
    this.#byId.set(request.id, request);
  }

  /** The requests with exactly this id: `"5"` is not `5`. Of a careful peer there is one at most. */
  withId(id: unknown): IncomingRequest[] {
    const request = this.#byId.get(id as RequestId);
    const shadowed = this.#shadowed.size === 0 ? [] : [...this.#shadowed].filter((other) => other.id === id);
    return request === undefined ? shadowed : [request, ...shadowed];
  }

  remove(request: IncomingRequest): void {
    if (this.#byId.get(request.id) === request) this.#byId.delete(request.id);
    else this.#shadowed.delete(request);
    if (this.size === 0) this.#onEmpty();
  }

  all(): IncomingRequest[] {
    return [...this.#byId.values(), ...this.#shadowed];
  }

  /** Nobody can be answered any more: every handler's signal aborts. */
  abandon(reason: unknown): void {
    const all = this.all();
    this.#byId.clear();
    this.#shadowed.clear();
    for (const request of all) request.abort(reason);
  }
}

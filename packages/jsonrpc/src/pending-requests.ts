import type { RequestOptions } from "./options.js";
import type { SharedDeadline } from "./shared-deadlines.js";

/** A request that this side has sent and that has not settled yet. */
export class PendingRequest {
  readonly id: number;
  readonly method: string;
  /** The key of the request's lane; see {@link ConnectionOptions.orderBy}. */
  readonly key: string | undefined;
  /** Whether the response waits for the handlers of earlier notifications in its lane. */
  readonly ordered: boolean;
  /** See {@link RequestOptions.alwaysOrdered}. */
  readonly alwaysOrdered: boolean;
  readonly options: RequestOptions;
  readonly promise: Promise<unknown>;
  /** Resolves the request. Only the code that removed the request from {@link PendingRequests} may call it. */
  readonly resolve: (result: unknown) => void;
  /** Whether the response, or the error of the connection's end, is queued in the lane. */
  hasResponse = false;
  /** Whether `$/cancel_request` was sent for the request. */
  cancelled = false;
  deadline: SharedDeadline | undefined = undefined;
  /** A function that removes the listener from the request's signal. */
  release: (() => void) | undefined = undefined;
  readonly #reject: (error: unknown) => void;

  constructor(id: number, method: string, key: string | undefined, held: boolean, options: RequestOptions) {
    this.id = id;
    this.method = method;
    this.key = key;
    this.alwaysOrdered = key !== undefined && options.alwaysOrdered === true;
    this.ordered = this.alwaysOrdered || (key !== undefined && !held);
    this.options = options;
    let resolvePromise: (result: unknown) => void = nothing;
    let rejectPromise: (error: unknown) => void = nothing;
    this.promise = new Promise((resolve, reject) => {
      resolvePromise = resolve;
      rejectPromise = reject;
    });
    this.resolve = resolvePromise;
    this.#reject = rejectPromise;
  }

  /** Rejects the request; see {@link resolve}. */
  reject(error: unknown): void {
    // Prevents unhandled rejections, because many requests can reject when the connection ends
    this.promise.catch(nothing);
    this.#reject(error);
  }
}

/**
 * The table of pending requests, by id. Only the code that has removed a request from the table settles it, so each
 * request settles exactly once.
 *
 * The table is an array that is indexed by the lowest bits of the id and is at most half full. The table is not a
 * `Map`, because the JavaScript engine repeatedly copies a `Map` whose entries are added and deleted all the time.
 * Collecting the old copies took as much time as the requests themselves.
 */
export class PendingRequests {
  #table: (PendingRequest | undefined)[] = new Array(16).fill(undefined);
  #size = 0;
  readonly #onSettled: (hook: () => void) => void;
  #lastId = 0;

  /** @param onSettled calls the hook `onSettled` of a request. */
  constructor(onSettled: (hook: () => void) => void) {
    this.#onSettled = onSettled;
  }

  /** Returns the next id with a free slot. Ids whose slot a pending request occupies are skipped. */
  nextId(): number {
    if (this.#size * 2 >= this.#table.length) this.#grow();
    do this.#lastId += 1;
    while (this.#table[this.#place(this.#lastId)] !== undefined);
    return this.#lastId;
  }

  /** Returns whether an id was used before. Without a pending request, its response is late or a duplicate. */
  wasIssued(id: unknown): id is number {
    return Number.isInteger(id) && (id as number) > 0 && (id as number) <= this.#lastId;
  }

  /** Adds a request whose id {@link nextId} has just returned. */
  add(request: PendingRequest): void {
    this.#table[this.#place(request.id)] = request;
    this.#size += 1;
  }

  /** Returns the pending request with this id. Ids match in value and type. */
  get(id: unknown): PendingRequest | undefined {
    if (typeof id !== "number") return undefined;
    const request = this.#table[this.#place(id)];
    return request?.id === id ? request : undefined;
  }

  /** Removes a request, so that the caller can settle it. Returns `false` if the request has already settled. */
  take(request: PendingRequest): boolean {
    if (!this.forget(request)) return false;
    request.deadline?.leave();
    request.release?.();
    const { onSettled } = request.options;
    if (onSettled !== undefined) this.#onSettled(onSettled);
    return true;
  }

  /** Removes a request that could not be sent. Returns `false` if the request has already settled. */
  forget(request: PendingRequest): boolean {
    const place = this.#place(request.id);
    if (this.#table[place] !== request) return false;
    this.#table[place] = undefined;
    this.#size -= 1;
    return true;
  }

  some(test: (request: PendingRequest) => boolean): boolean {
    return this.#table.some((request) => request !== undefined && test(request));
  }

  /** Returns a copy of the matching requests, oldest first: settling one can settle others or send new ones. */
  filter(test: (request: PendingRequest) => boolean): PendingRequest[] {
    if (this.#size === 0) return [];
    const found = this.#table.filter((request) => request !== undefined && test(request)) as PendingRequest[];
    return found.sort((a, b) => a.id - b.id);
  }

  #place(id: number): number {
    return id & (this.#table.length - 1);
  }

  #grow(): void {
    const requests = this.#table;
    this.#table = new Array(requests.length * 2).fill(undefined);
    for (const request of requests) if (request !== undefined) this.#table[this.#place(request.id)] = request;
  }
}

const nothing = (): void => {};

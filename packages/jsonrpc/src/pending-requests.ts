import type { RequestOptions } from "./options.js";
import type { SharedDeadline } from "./shared-deadlines.js";

/** A request of ours that has not settled yet. */
export class PendingRequest {
  readonly id: number;
  readonly method: string;
  /** Its lane; see {@link ConnectionOptions.orderBy}. */
  readonly key: string | undefined;
  /** The response waits for the handlers of messages that arrived before it. */
  readonly ordered: boolean;
  /** See {@link RequestOptions.alwaysOrdered}. */
  readonly alwaysOrdered: boolean;
  readonly options: RequestOptions;
  readonly promise: Promise<unknown>;
  /** Called only by the code that removed the request from {@link PendingRequests}. */
  readonly resolve: (result: unknown) => void;
  /** The response has arrived and is queued in the lane. */
  hasResponse = false;
  /** A cancel request was sent for it. */
  cancelled = false;
  deadline: SharedDeadline | undefined = undefined;
  /** Removes the listener of its signal. */
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

  /** See {@link resolve}. */
  reject(error: unknown): void {
    this.promise.catch(nothing); // never unhandled: many requests may reject at once when the connection ends
    this.#reject(error);
  }
}

/**
 * The table of pending requests, by id. Only the code that removed a request from the table settles it, so each settles exactly
 * once.
 *
 * The table is indexed by the lowest bits of the id and at most half full. A `Map` whose entries come and go is copied again
 * and again, and each old copy keeps the next one alive with everything in it: collecting them cost as much as the requests
 * themselves.
 */
export class PendingRequests {
  #table: (PendingRequest | undefined)[] = new Array(16).fill(undefined);
  #size = 0;
  readonly #onSettled: (hook: () => void) => void;
  #lastId = 0;

  /** `onSettled` calls the hooks of applications. */
  constructor(onSettled: (hook: () => void) => void) {
    this.#onSettled = onSettled;
  }

  /** Returns an id whose slot is free: ids that would share the slot of a long-pending request are skipped. */
  nextId(): number {
    if (this.#size * 2 >= this.#table.length) this.#grow();
    do this.#lastId += 1;
    while (this.#table[this.#place(this.#lastId)] !== undefined);
    return this.#lastId;
  }

  /** Whether an id was used before: its request is settled, so a response to it is late or a duplicate. */
  wasIssued(id: unknown): id is number {
    return Number.isInteger(id) && (id as number) > 0 && (id as number) <= this.#lastId;
  }

  /** Adds a request whose id is that of {@link nextId}. */
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

  /** Removes a request, for the caller to settle. Returns `false` when it is settled already. */
  take(request: PendingRequest): boolean {
    if (!this.forget(request)) return false;
    request.deadline?.leave();
    request.release?.();
    const { onSettled } = request.options;
    if (onSettled !== undefined) this.#onSettled(onSettled);
    return true;
  }

  /** Removes a request that could not be sent. Returns `false` when it is settled already. */
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

  /** Returns the requests that fulfil `test`, oldest first, as a copy: settling one may settle others, or send more. */
  filter(test: (request: PendingRequest) => boolean): PendingRequest[] {
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

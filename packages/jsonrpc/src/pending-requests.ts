import type { RequestOptions } from "./options.js";
import type { SharedDeadline } from "./shared-deadlines.js";

/** A request of ours that has not settled yet. */
export class PendingRequest {
  readonly id: number;
  readonly method: string;
  /** Its lane; see {@link ConnectionOptions.orderBy}. */
  readonly key: string | undefined;
  /** The answer waits for the handlers of what arrived before it. */
  readonly ordered: boolean;
  /** See {@link RequestOptions.alwaysOrdered}. */
  readonly alwaysOrdered: boolean;
  readonly options: RequestOptions;
  readonly promise: Promise<unknown>;
  /** Whoever took the request out of {@link PendingRequests} calls it. */
  readonly resolve: (result: unknown) => void;
  /** The answer is here and waits for its turn in the lane. */
  answered = false;
  /** The peer was asked to cancel it. */
  cancelled = false;
  deadline: SharedDeadline | undefined = undefined;
  /** Ends what its signal began. */
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

  /** As {@link resolve}. */
  reject(error: unknown): void {
    this.promise.catch(nothing); // never unhandled: it may reject for everybody when the connection ends
    this.#reject(error);
  }
}

/**
 * Id → waiter. Whoever takes a request out settles it, so that each settles exactly once.
 *
 * A table by the lowest bits of the id, half empty at least. A `Map` whose entries come and go is copied again and again, and each copy
 * that grew old keeps the next alive, with all that is in it: collecting them cost as much as the requests themselves.
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

  /** An id whose place is free: where a request waits for long, those that would share its place are left out. */
  nextId(): number {
    if (this.#size * 2 >= this.#table.length) this.#grow();
    do this.#lastId += 1;
    while (this.#table[this.#place(this.#lastId)] !== undefined);
    return this.#lastId;
  }

  /** An id that was ours once: its request is settled, so an answer to it is late or a duplicate. */
  wasIssued(id: unknown): id is number {
    return Number.isInteger(id) && (id as number) > 0 && (id as number) <= this.#lastId;
  }

  /** Its id is that of {@link nextId}. */
  add(request: PendingRequest): void {
    this.#table[this.#place(request.id)] = request;
    this.#size += 1;
  }

  /** The request that waits under this id. Ids match in value and type. */
  get(id: unknown): PendingRequest | undefined {
    if (typeof id !== "number") return undefined;
    const request = this.#table[this.#place(id)];
    return request?.id === id ? request : undefined;
  }

  /** Takes a request out, for the caller to settle. `false` when it is settled already. */
  take(request: PendingRequest): boolean {
    if (!this.forget(request)) return false;
    request.deadline?.leave();
    request.release?.();
    const { onSettled } = request.options;
    if (onSettled !== undefined) this.#onSettled(onSettled);
    return true;
  }

  /** Forgets a request that could not be sent. `false` when it is settled already. */
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

  /** Those that fulfil `test`, oldest first, as they are now: settling one may settle others, or send more. */
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

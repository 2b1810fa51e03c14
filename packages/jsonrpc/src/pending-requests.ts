import { ConnectionError } from "./connection-error.js";

/** A request of ours that has not settled yet. */
export interface PendingRequest {
  readonly id: number;
  readonly method: string;
  /** Its lane; see {@link ConnectionOptions.orderBy}. */
  readonly key: string | undefined;
  /** The answer waits for the handlers of what arrived before it. */
  readonly ordered: boolean;
  /** See {@link RequestOptions.alwaysOrdered}. */
  readonly alwaysOrdered: boolean;
  readonly decode: ((result: unknown) => unknown) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The answer is here and waits for its turn in the lane. */
  answered: boolean;
  /** See {@link RequestOptions.onSettled}. */
  readonly onSettled: (() => void) | undefined;
  /** Ends timers and abort listeners. */
  release: (() => void) | undefined;
}

/** Id → waiter. Whoever takes a request out settles it, so that each settles exactly once. */
export class PendingRequests {
  readonly #waiting = new Map<unknown, PendingRequest>();
  #lastId = 0;

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** An id that was ours once: its request is settled, so an answer to it is late or a duplicate. */
  wasIssued(id: unknown): id is number {
    return Number.isInteger(id) && (id as number) > 0 && (id as number) <= this.#lastId;
  }

  add(request: PendingRequest): void {
    this.#waiting.set(request.id, request);
  }

  /** The request that waits under this id. Ids match in value and type. */
  get(id: unknown): PendingRequest | undefined {
    return this.#waiting.get(id);
  }

  /** Takes a request out, for the caller to settle. `false` when it is settled already. */
  take(request: PendingRequest): boolean {
    if (!this.#waiting.delete(request.id)) return false;
    request.release?.();
    request.onSettled?.();
    return true;
  }

  /** Forgets a request that could not be sent. `false` when it is settled already. */
  forget(request: PendingRequest): boolean {
    return this.#waiting.delete(request.id);
  }

  some(test: (request: PendingRequest) => boolean): boolean {
    for (const request of this.#waiting.values()) if (test(request)) return true;
    return false;
  }

  /** Rejects those that fail `test`, each with an error of its own, so that stacks tell who waited; `cause` is that of them all. */
  rejectAll(
    code: ConnectionError["code"],
    message: string,
    cause: unknown,
    test: (request: PendingRequest) => boolean,
  ): void {
    for (const request of [...this.#waiting.values()]) {
      if (!test(request) || !this.take(request)) continue;
      const { method } = request;
      request.reject(new ConnectionError(code, `${method}: ${message}`, { cause, method }));
    }
  }
}

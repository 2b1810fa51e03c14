import { ConnectionError } from "./connection-error.js";
import type { RequestId } from "./message.js";

/** A request of ours that has no answer yet. */
export interface PendingRequest {
  readonly id: number;
  readonly method: string;
  /** Messages with the same key are ordered among each other; see {@link ConnectionOptions.orderBy}. */
  readonly key: string | undefined;
  /** The answer waits for the handlers of what arrived before it. */
  readonly ordered: boolean;
  readonly decode: ((result: unknown) => unknown) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Ends timers and abort listeners. */
  release: (() => void) | undefined;
}

/** Id → waiter. The only place that settles one. */
export class PendingRequests {
  readonly #waiting = new Map<RequestId, PendingRequest>();
  #lastId = 0;

  get size(): number {
    return this.#waiting.size;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** An id that was ours once: its request is settled, so an answer to it is late or a duplicate. */
  wasIssued(id: unknown): boolean {
    return Number.isInteger(id) && (id as number) > 0 && (id as number) <= this.#lastId;
  }

  add(request: PendingRequest): void {
    this.#waiting.set(request.id, request);
  }

  /** Takes a request out, so that nobody else can settle it. Ids match in value and type. */
  take(id: unknown): PendingRequest | undefined {
    const request = this.#waiting.get(id as RequestId);
    if (request !== undefined) {
      this.#waiting.delete(request.id);
      request.release?.();
    }
    return request;
  }

  has(id: number): boolean {
    return this.#waiting.has(id);
  }

  /** Whether `test` holds for every waiting request. */
  every(test: (request: PendingRequest) => boolean): boolean {
    for (const request of this.#waiting.values()) if (!test(request)) return false;
    return true;
  }

  /** The connection ended: each request rejects with an error of its own, and `reason` as the cause of them all. */
  rejectAll(reason: ConnectionError): void {
    for (const { id, method } of [...this.#waiting.values()]) {
      this.take(id)?.reject(
        new ConnectionError(reason.code, `${method}: ${reason.message}`, { cause: reason.cause ?? reason, method }),
      );
    }
  }
}

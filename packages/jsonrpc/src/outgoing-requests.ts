import { AbortHandling } from "./abort-request.js";
import { ConnectionError } from "./connection-error.js";
import type { FlowControl } from "./flow-control.js";
import type { Lanes } from "./lanes.js";
import { CANCEL_REQUEST, type NotificationMessage, type RequestId } from "./message.js";
import type { Observers } from "./observers.js";
import type { ConnectionLimits, RequestOptions } from "./options.js";
import type { LaneOf } from "./order-by.js";
import type { Outbox } from "./outbox.js";
import { PendingRequest, PendingRequests } from "./pending-requests.js";
import { rpcErrorFrom } from "./rpc-error.js";
import { type SharedDeadline, SharedDeadlines } from "./shared-deadlines.js";

/** What {@link OutgoingRequests} work with. */
export interface OutgoingRequestsContext {
  readonly outbox: Outbox;
  readonly lanes: Pick<Lanes<NotificationMessage, Answer>, "isHeld" | "isBlocked" | "pass">;
  readonly flow: FlowControl;
  readonly observers: Observers;
  readonly limits: ConnectionLimits;
  readonly laneOf: LaneOf;
  readonly onErrorWithoutId: (() => void) | undefined;
}

/** A response on its way through a lane. */
export class Answer {
  readonly request: PendingRequest;
  readonly message: Record<string, unknown>;
  constructor(request: PendingRequest, message: Record<string, unknown>) {
    this.request = request;
    this.message = message;
  }
}

/** Our requests, from the call to the one thing that settles it: the answer, a limit or the end of the connection. */
export class OutgoingRequests {
  readonly #context: OutgoingRequestsContext;
  readonly #pending: PendingRequests;
  readonly #deadlines: SharedDeadlines;
  /** Requests that were given up and that the peer may still answer. Kept only where it matters. */
  readonly #givenUp = new Set<unknown>();

  constructor(context: OutgoingRequestsContext) {
    this.#context = context;
    this.#pending = new PendingRequests((hook) => context.observers.call("onSettled", hook));
    this.#deadlines = new SharedDeadlines((deadline) => this.#passed(deadline));
  }

  /** `ended`: why nothing can be sent any more. */
  send<Result>(
    method: string,
    params: unknown,
    options: RequestOptions<Result>,
    ended: ConnectionError | undefined,
  ): Promise<Result> {
    const { signal } = options;
    if (ended !== undefined) return rejected(endedError(method, ended));
    if (signal?.aborted) return rejected(signal.reason);
    if (!areParams(params)) return rejected(notParams(method, params));
    const { lanes, laneOf, outbox, flow, limits } = this.#context;
    const key = laneOf(method, params);
    const held = key !== undefined && lanes.isHeld(key);
    const request = new PendingRequest(this.#pending.nextId(), method, key, held, options);
    const promise = request.promise as Promise<Result>;
    this.#pending.add(request); // before it is sent: the answer of a peer in this process may be here at once
    try {
      outbox.send({ jsonrpc: "2.0", id: request.id, method, params });
    } catch (error) {
      if (this.#pending.forget(request)) request.reject(error);
      return promise;
    }
    if (this.#pending.get(request.id) === undefined) return promise;
    this.#limit(request, options.timeoutMs ?? limits.requestTimeoutMs, signal);
    if (flow.paused && this.#starves(request)) flow.awaited();
    return promise;
  }

  /** A response has arrived. It settles its request after what came before it in the lane, if the request is ordered. */
  answered(message: Record<string, unknown>, size: number): void {
    const request = this.#pending.get(message.id) ?? this.#withoutId(message);
    if (request === undefined || request.answered) {
      this.#unexpected(message);
      return;
    }
    const { key, ordered } = request;
    const { lanes } = this.#context;
    if (ordered && key !== undefined && lanes.isBlocked(key)) {
      request.answered = true;
      lanes.pass(key, new Answer(request, message), size);
    } else {
      this.#settle(request, message);
    }
  }

  /** Something arrived that carries the id of one of our requests but is no response. `false` when none has this id. */
  invalid(id: RequestId, reason: string): boolean {
    const request = this.#pending.get(id);
    if (request === undefined || request.answered) return false;
    const { method } = request;
    const message = `${method}: the answer is not a response: ${reason}`;
    if (this.#pending.take(request)) request.reject(new ConnectionError("invalid_response", message, { method }));
    return true;
  }

  /** Whether not reading on would keep an answer from somebody who may be awaiting it. */
  get starve(): boolean {
    return this.#pending.some((request) => this.#starves(request));
  }

  /** Nothing moves any more, because reading has paused: gives up the requests whose answers can't be read. */
  rejectStarving(): void {
    const why = "the answer can't be read, because too many messages wait for handlers that don't finish";
    for (const request of this.#pending.filter((request) => this.#starves(request))) {
      const { method } = request;
      this.#giveUp(request, new ConnectionError("backlog_full", `${method}: ${why}`, { method }));
    }
  }

  /** The connection ends. `arrived`: those too whose answer is here and waits for its turn. Each gets an error of its own, so that stacks tell who waited. */
  end(reason: ConnectionError, { arrived }: { readonly arrived: boolean }): void {
    for (const request of this.#pending.filter((request) => arrived || !request.answered)) {
      if (this.#pending.take(request)) request.reject(endedError(request.method, reason));
    }
  }

  /** An answer that is here already waits in its lane, so its lane is not empty. */
  #starves({ ordered, alwaysOrdered, key }: PendingRequest): boolean {
    const { flow } = this.#context;
    if (key === undefined || !ordered) return true;
    return !flow.lanes.has(key) && !(alwaysOrdered && flow.queues.has(key));
  }

  /** The answer's turn has come. */
  settle({ request, message }: Answer): void {
    this.#settle(request, message);
  }

  #settle(request: PendingRequest, message: Record<string, unknown>): void {
    if (!this.#pending.take(request)) return; // a limit was faster, while the answer waited for its turn
    const { method, options } = request;
    const { error, result } = message;
    try {
      if (error !== undefined && error !== null) {
        const { readError } = options;
        const told = rpcErrorFrom(error);
        request.reject(readError === undefined ? told : readError(told));
      } else if (result === undefined && !("result" in message)) {
        const text = `${method}: the answer has neither a result nor an error`;
        request.reject(new ConnectionError("invalid_response", text, { method }));
      } else {
        const { decode } = options;
        request.resolve(decode === undefined ? result : decode(result));
      }
    } catch (cause) {
      request.reject(cause);
    }
  }

  /** The request that an error without an id can only be the answer to. */
  #withoutId({ jsonrpc, id, error }: Record<string, unknown>): PendingRequest | undefined {
    const { observers, onErrorWithoutId } = this.#context;
    if (onErrorWithoutId === undefined || id !== undefined || typeof error !== "object" || error === null)
      return undefined;
    if (jsonrpc === undefined) return undefined; // a log line with an `error` member
    const [request, ...others] = this.#pending.filter(({ answered }) => !answered);
    if (request === undefined || others.length > 0 || this.#givenUp.size > 0) return undefined;
    observers.call("onErrorWithoutId", onErrorWithoutId);
    return request;
  }

  #unexpected({ id, error }: Record<string, unknown>): void {
    const { observers } = this.#context;
    this.#givenUp.delete(id);
    if (this.#pending.wasIssued(id)) {
      const message = `Request ${id} is settled: this answer is late or a duplicate`;
      observers.report({ code: "late_response", message, id });
    } else {
      const known = typeof id === "string" || typeof id === "number" || id === null ? id : undefined;
      const message = "A response answers no request of ours";
      observers.report({ code: "unknown_response", message, id: known, data: error });
    }
  }

  #limit(request: PendingRequest, timeoutMs: number, signal: AbortSignal | undefined): void {
    if (timeoutMs > 0) request.deadline = this.#deadlines.begin(timeoutMs, request.id);
    if (signal === undefined) return;
    const handling = new AbortHandling(signal, {
      cancelTimeoutMs: this.#context.limits.cancelTimeoutMs,
      cancel: () => this.#cancel(request),
      reject: (reason) => this.#giveUp(request, reason),
    });
    request.release = () => handling.stop();
    handling.start();
  }

  #passed(deadline: SharedDeadline): void {
    const { firstId, lastId } = deadline;
    for (let id = firstId; id <= lastId; id += 1) {
      const request = this.#pending.get(id);
      if (request?.deadline !== deadline) continue;
      const { method } = request;
      this.#cancel(request);
      const message = `${method}: no answer within ${deadline.timeoutMs} ms`;
      this.#giveUp(request, new ConnectionError("timeout", message, { method }));
    }
  }

  #giveUp(request: PendingRequest, reason: unknown): void {
    if (!this.#pending.take(request)) return;
    if (!request.answered && this.#context.onErrorWithoutId !== undefined) this.#givenUp.add(request.id);
    request.reject(reason);
  }

  /** Asks the peer to cancel, once, unless its answer is here. */
  #cancel(request: PendingRequest): void {
    if (request.answered || request.cancelled) return;
    request.cancelled = true;
    const { observers, outbox } = this.#context;
    const { id, method } = request;
    try {
      outbox.send({ jsonrpc: "2.0", method: CANCEL_REQUEST, params: { requestId: id } });
    } catch (cause) {
      const message = `${method} could not be cancelled`;
      observers.report({ code: "unserializable", message, method, id, cause });
    }
  }
}

/**
 * @throws {TypeError} when JSON-RPC has no place for `params`: they are an object or an array, or there are none.
 * @see https://www.jsonrpc.org/specification#parameter_structures
 */
export function assertParams(method: string, params: unknown): void {
  if (!areParams(params)) throw notParams(method, params);
}

function areParams(params: unknown): boolean {
  return typeof params === "object" || params === undefined;
}

function notParams(method: string, params: unknown): TypeError {
  return new TypeError(`${method}: params are an object, an array or undefined, not a ${typeof params}`);
}

function endedError(method: string, reason: ConnectionError): ConnectionError {
  const { code, message, cause = reason } = reason;
  return new ConnectionError(code, `${method}: ${message}`, { cause, method });
}

function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(nothing); // as those of a PendingRequest
  return promise;
}

const nothing = (): void => {};

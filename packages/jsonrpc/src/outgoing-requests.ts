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

/** The parts of the connection that {@link OutgoingRequests} uses. */
export interface OutgoingRequestsContext {
  readonly outbox: Outbox;
  readonly lanes: Pick<Lanes<NotificationMessage, QueuedResponse>, "isHeld" | "isWaiting" | "isBlocked" | "pass">;
  readonly flow: FlowControl;
  readonly observers: Observers;
  readonly limits: ConnectionLimits;
  readonly laneOf: LaneOf;
  readonly onErrorWithoutId: (() => void) | undefined;
}

/** A response that is queued in a lane, or the reason why a request will get none. */
export class QueuedResponse {
  readonly request: PendingRequest;
  readonly message: Record<string, unknown> | ConnectionError;
  constructor(request: PendingRequest, message: Record<string, unknown> | ConnectionError) {
    this.request = request;
    this.message = message;
  }
}

/** The requests of this side, until a response, a deadline, a cancel or the connection's end settles them. */
export class OutgoingRequests {
  readonly #context: OutgoingRequestsContext;
  readonly #pending: PendingRequests;
  readonly #deadlines: SharedDeadlines;
  /**
   * The requests that rejected before their response arrived, and whose response can still arrive. While there are any,
   * an error without an id rejects no pending request, because it may belong to one of them.
   */
  readonly #rejectedEarly = new Set<unknown>();

  constructor(context: OutgoingRequestsContext) {
    this.#context = context;
    this.#pending = new PendingRequests((hook) => context.observers.call("onSettled", hook));
    this.#deadlines = new SharedDeadlines((deadline) => this.#passed(deadline));
  }

  /** Sends a request. `ended` is the reason why nothing can be sent any more, if the connection has ended. */
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
    this.#pending.add(request); // added before it is sent, because a peer in the same process may respond synchronously
    try {
      outbox.send({ jsonrpc: "2.0", id: request.id, method, params });
    } catch (error) {
      if (this.#pending.forget(request)) request.reject(error);
      return promise;
    }
    if (this.#pending.get(request.id) === undefined) return promise;
    this.#limit(request, options.timeoutMs ?? limits.requestTimeoutMs, signal);
    flow.check();
    return promise;
  }

  /**
   * Called when a response has arrived. An ordered request settles when the handlers of the notifications before the
   * response in its lane have finished; any other request settles immediately.
   */
  receive(message: Record<string, unknown>, size: number): void {
    const request = this.#pending.get(message.id) ?? this.#withoutId(message);
    if (request === undefined || request.hasResponse) {
      this.#unexpected(message);
      return;
    }
    const { key, ordered } = request;
    const { lanes } = this.#context;
    if (ordered && key !== undefined && lanes.isBlocked(key)) {
      request.hasResponse = true;
      lanes.pass(key, new QueuedResponse(request, message), size);
    } else {
      this.#settle(request, message);
    }
  }

  /** Rejects the request of an invalid response. Returns `false` if no pending request has the id. */
  invalid(id: RequestId, reason: string): boolean {
    const request = this.#pending.get(id);
    if (request === undefined || request.hasResponse) return false;
    const { method } = request;
    const message = `${method}: the peer's response is not valid: ${reason}`;
    if (this.#pending.take(request)) request.reject(new ConnectionError("invalid_response", message, { method }));
    return true;
  }

  /**
   * Whether a pause of reading would delay a response that a caller may be awaiting. An ordered response does not count
   * while a handler blocks its lane, because it has to wait for this handler in any case. A request of which the caller
   * said that it is `alwaysOrdered` does not count while messages of its lane wait, in the lane or in the application.
   */
  get areAwaited(): boolean {
    const { lanes, flow } = this.#context;
    return this.#pending.some(({ key, ordered, alwaysOrdered }) => {
      if (key === undefined || !ordered) return true;
      return !(alwaysOrdered ? flow.has(key) : lanes.isWaiting(key));
    });
  }

  /** When the connection ends: rejects each pending request with its own error, whose stack shows the caller. */
  end(reason: ConnectionError): void {
    for (const request of this.#pending.filter(() => true)) this.#end(request, reason);
  }

  /**
   * Rejects the requests that will get no response, because the peer has ended. Requests whose response is queued in a
   * lane are not affected. An `alwaysOrdered` request rejects when the handlers of the queued notifications of its lane
   * have finished.
   */
  peerEnded(reason: ConnectionError): void {
    const { lanes } = this.#context;
    for (const request of this.#pending.filter(({ hasResponse }) => !hasResponse)) {
      const { key, alwaysOrdered } = request;
      if (alwaysOrdered && key !== undefined && lanes.isBlocked(key)) {
        request.hasResponse = true;
        lanes.pass(key, new QueuedResponse(request, reason), 0);
      } else this.#end(request, reason);
    }
  }

  /** Settles a request when its response has reached the head of the lane. */
  settle({ request, message }: QueuedResponse): void {
    if (message instanceof ConnectionError) this.#end(request, message);
    else this.#settle(request, message);
  }

  #end(request: PendingRequest, reason: ConnectionError): void {
    if (this.#pending.take(request)) request.reject(endedError(request.method, reason));
  }

  #settle(request: PendingRequest, message: Record<string, unknown>): void {
    if (!this.#pending.take(request)) return; // a deadline or a cancel settled it while the response was queued
    const { method, options } = request;
    const { error, result } = message;
    try {
      if (error !== undefined && error !== null) {
        const { readError } = options;
        const received = rpcErrorFrom(error);
        request.reject(readError === undefined ? received : readError(received));
      } else if (result === undefined && !("result" in message)) {
        const text = `${method}: the response has neither a result nor an error`;
        request.reject(new ConnectionError("invalid_response", text, { method }));
      } else {
        const { decode } = options;
        request.resolve(decode === undefined ? result : decode(result));
      }
    } catch (cause) {
      request.reject(cause);
    }
  }

  /**
   * Returns the request to which an error without an id belongs: the only request that waits for a response. Returns
   * `undefined` if the error could also belong to another request.
   */
  #withoutId({ jsonrpc, id, error }: Record<string, unknown>): PendingRequest | undefined {
    const { observers, onErrorWithoutId } = this.#context;
    if (onErrorWithoutId === undefined || id !== undefined || typeof error !== "object" || error === null)
      return undefined;
    if (jsonrpc === undefined) return undefined; // probably a log line with an `error` member
    const [request, ...others] = this.#pending.filter(({ hasResponse }) => !hasResponse);
    if (request === undefined || others.length > 0 || this.#rejectedEarly.size > 0) return undefined;
    observers.call("onErrorWithoutId", onErrorWithoutId);
    return request;
  }

  #unexpected({ id, error }: Record<string, unknown>): void {
    const { observers } = this.#context;
    this.#rejectedEarly.delete(id);
    if (this.#pending.wasIssued(id)) {
      const message = `The request ${id} has already settled: this response is late or a duplicate`;
      observers.report({ code: "late_response", message, id });
    } else {
      const validId = typeof id === "string" || typeof id === "number" || id === null ? id : undefined;
      const message = "A response has an id that belongs to no request";
      observers.report({ code: "unknown_response", message, id: validId, data: error });
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
      const { method, hasResponse } = request;
      this.#cancel(request);
      const problem = hasResponse ? "the response waits for a handler that did not finish" : "no response";
      const message = `${method}: ${problem} within ${deadline.timeoutMs} ms`;
      this.#giveUp(request, new ConnectionError("timeout", message, { method }));
    }
  }

  #giveUp(request: PendingRequest, reason: unknown): void {
    if (!this.#pending.take(request)) return;
    if (!request.hasResponse && this.#context.onErrorWithoutId !== undefined) this.#rejectedEarly.add(request.id);
    request.reject(reason);
  }

  #cancel(request: PendingRequest): void {
    if (request.hasResponse || request.cancelled) return;
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
 * Checks the params of a message. @throws {TypeError} when they are not an object, an array or `undefined`.
 * @see https://www.jsonrpc.org/specification#parameter_structures
 */
export function assertParams(method: string, params: unknown): void {
  if (!areParams(params)) throw notParams(method, params);
}

function areParams(params: unknown): boolean {
  return typeof params === "object" || params === undefined;
}

function notParams(method: string, params: unknown): TypeError {
  return new TypeError(`${method}: params must be an object, an array or undefined, not a ${typeof params}`);
}

function endedError(method: string, reason: ConnectionError): ConnectionError {
  const { code, message, cause = reason } = reason;
  return new ConnectionError(code, `${method}: ${message}`, { cause, method });
}

function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(nothing); // prevents an unhandled rejection, as in `PendingRequest`
  return promise;
}

const nothing = (): void => {};

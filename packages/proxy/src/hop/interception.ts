import {
  ConnectionError,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  requestCancelled,
} from "@acp-kit/jsonrpc";
import { deferred, isThenable } from "@acp-kit/jsonrpc/internal";
import type { Decoding } from "./decoding.js";
import type { HopReports } from "./hop-reports.js";
import { InterceptorCall, nextError } from "./interceptor-call.js";
import type { Interceptor } from "./interceptor-table.js";
import type { OpenRequest } from "./open-request.js";
import type { Way } from "./way.js";

/** The functions with which an {@link Interception} forwards and answers messages. */
export interface InterceptionHooks {
  /** Returns the reason for which the connection has ended. */
  closed(): { readonly error: unknown } | undefined;
  /** Sends a notification to its receiver. */
  notify(way: Way, call: InterceptorCall, message: NotificationMessage, size: number): void;
  /** Sends a request to its receiver. */
  forward(way: Way, request: OpenRequest, message: RequestMessage, size: number): void;
  answer(way: Way, request: OpenRequest, result: unknown): void;
  failed(way: Way, request: OpenRequest, error: unknown): void;
  /** Called when a call of an interceptor has ended. */
  ended(): void;
}

/** Calls interceptors. The promise that a method returns holds the messages after the intercepted one. */
export class Interception {
  readonly #hooks: InterceptionHooks;
  readonly #decoding: Decoding;
  readonly #reports: HopReports;

  constructor(hooks: InterceptionHooks, decoding: Decoding, reports: HopReports) {
    this.#hooks = hooks;
    this.#decoding = decoding;
    this.#reports = reports;
  }

  notification(
    way: Way,
    { intercept }: Interceptor,
    message: NotificationMessage,
    size: number,
  ): Promise<void> | undefined {
    const { method } = message;
    const call = new InterceptorCall(way.host, method, message.params, size);
    let state: "held" | "forwarded" | "ended" = "held";
    const next = (params?: unknown): Promise<undefined> => {
      this.#assertOpen(method);
      if (state !== "held") throw nextError(call, state === "forwarded" ? "twice" : "after the interceptor ended");
      state = "forwarded";
      this.#hooks.notify(way, call, ...forwarded(call, message, size, params));
      call.release();
      return resolved;
    };
    const end = (): void => {
      if (state === "held") this.#reports.dropped(method);
      state = "ended";
      this.#ended(way, call);
    };
    const fail = (cause: unknown): void => {
      state = "ended";
      if (this.#hooks.closed() === undefined) this.#reports.failed(message, cause);
      this.#ended(way, call);
    };
    try {
      const returned = intercept(call as never, next as never);
      if (!isThenable(returned)) {
        end();
        return undefined;
      }
      way.calls.add(call);
      returned.then(end, fail);
    } catch (cause) {
      fail(cause);
    }
    return call.isReleased ? undefined : hold(way, call, size);
  }

  request(
    way: Way,
    { intercept, isFree }: Interceptor,
    request: OpenRequest,
    message: RequestMessage,
    size: number,
  ): Promise<void> | undefined {
    const { method } = request;
    const call = new InterceptorCall(way.host, method, message.params, size);
    request.call = call;
    request.state = "intercepted";
    let response: Promise<unknown> | undefined;
    let decodedResult: unknown;
    const next = (params?: unknown): Promise<unknown> => {
      this.#assertOpen(method);
      if (request.isCancelled) throw requestCancelled();
      if (request.state !== "intercepted")
        throw nextError(call, request.state === "answered" ? "after the response" : "twice");
      const settled = deferred<ResponseMessage>();
      request.response = settled;
      response = settled.promise.then((received) => {
        decodedResult = this.#decoding.result(way.from, method, received);
        return decodedResult;
      });
      response.catch(() => {});
      try {
        this.#hooks.forward(way, request, ...forwarded(call, message, size, params));
      } catch (error) {
        request.state = "intercepted"; // the params can't be serialized, so nothing was sent
        throw error;
      }
      call.release();
      return response;
    };
    const succeed = (result: unknown): void => {
      if (result === undefined) fail(new TypeError(`The interceptor for ${method} returned no result`));
      else this.#hooks.answer(way, request, result === decodedResult ? (request.received ?? result) : result);
      this.#ended(way, call);
    };
    const fail = (error: unknown): void => {
      this.#hooks.failed(way, request, error);
      this.#ended(way, call);
    };
    try {
      const returned = intercept(call as never, next as never);
      // The response may have arrived already, because a receiver may respond while the request is sent.
      if (returned !== undefined && returned === response && isForwarded(request)) {
        request.passes = true;
        way.calls.add(call);
        const end = (): void => this.#ended(way, call);
        response.then(end, end);
        return undefined;
      }
      if (isThenable(returned)) {
        way.calls.add(call);
        returned.then(succeed, fail);
      } else succeed(returned);
    } catch (error) {
      fail(error);
    }
    if (call.isReleased) return undefined;
    const released = hold(way, call, size);
    return isFree ? undefined : released;
  }

  #assertOpen(method: string): void {
    const closed = this.#hooks.closed();
    if (closed === undefined) return;
    const message = `The connection has ended before ${method} was forwarded`;
    throw new ConnectionError("closed", message, { method, cause: closed.error });
  }

  #ended(way: Way, call: InterceptorCall): void {
    way.calls.delete(call);
    call.release();
    this.#hooks.ended();
  }
}

/** Holds the messages after an intercepted one, and counts its bytes, until its call is released. */
function hold(way: Way, call: InterceptorCall, size: number): Promise<void> {
  const key = call.session?.id ?? "";
  return new Promise((resolve) => {
    way.flow.add(key, size);
    call.hold(() => {
      way.flow.remove(key, size);
      resolve();
    });
  });
}

/** Returns the message to forward for a call of `next`, and its size. */
function forwarded<Kind extends RequestMessage | NotificationMessage>(
  call: InterceptorCall,
  message: Kind,
  size: number,
  given: unknown,
): [Kind, number] {
  const params = call.forwarded(given);
  return params === undefined ? [message, size] : [{ ...message, params }, 0];
}

/** Returns whether the receiver has a request and has not responded. */
function isForwarded({ state }: OpenRequest): boolean {
  return state === "forwarded";
}

const resolved: Promise<undefined> = Promise.resolve(undefined);

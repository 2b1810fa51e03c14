import { JsonRpcErrorCode } from "./error-code.js";
import type { IncomingRequest } from "./incoming-request.js";
import type { RequestId } from "./message.js";
import type { Observers } from "./observers.js";
import type { OpenRequests } from "./open-requests.js";
import type { Outbox } from "./outbox.js";
import { errorObject, isRpcError, RpcError, requestCancelled } from "./rpc-error.js";

/** Sends the responses to the peer's requests, whatever a handler returns or throws. No method throws. */
export class Responses {
  readonly #outbox: Outbox;
  readonly #open: OpenRequests;
  readonly #observers: Observers;

  constructor(outbox: Outbox, open: OpenRequests, observers: Observers) {
    this.#outbox = outbox;
    this.#open = open;
    this.#observers = observers;
  }

  /** Sends the result that the handler returned. If it can't be serialized, the peer gets an error response instead. */
  result(request: IncomingRequest, value: unknown): void {
    const { id, method } = request;
    try {
      this.#outbox.send({ jsonrpc: "2.0", id, result: resultOf(value) });
    } catch (cause) {
      const message = `The result of ${method} can't be serialized`;
      this.#observers.report({ code: "unserializable", message, method, id, cause });
      request.actions = undefined;
      this.reject(
        id,
        new RpcError(JsonRpcErrorCode.internalError, "Internal error: the result can't be serialized", { cause }),
      );
    }
    this.#done(request);
    if (request.actions !== undefined)
      for (const action of request.actions) this.#observers.call("afterResponse", action);
  }

  /**
   * Sends the error that the handler threw, or the error for a method without a handler. If the error is an `RpcError`,
   * the peer receives it unchanged. For any other error, the peer receives "Internal error", or `-32800` if the signal
   * of the request has aborted.
   */
  error(request: IncomingRequest, error: unknown): void {
    this.reject(request.id, this.#errorFor(request, error));
    this.#done(request);
  }

  /**
   * Called when the peer cancels a request or the connection ends. If the handler has not started, the response is sent
   * now, because the request may be queued behind a handler that never finishes. Without `responds`, no response is
   * sent.
   */
  cancel(request: IncomingRequest, reason: unknown, responds = true): void {
    request.abort(reason);
    if (request.started) return;
    if (responds) this.error(request, requestCancelled());
    else this.#done(request);
  }

  /** Sends an error response to input that is not a valid request, or to a request that is refused. */
  reject(id: RequestId, error: RpcError): void {
    const object = errorObject(error);
    try {
      this.#outbox.send({ jsonrpc: "2.0", id, error: object });
      return;
    } catch (cause) {
      this.#observers.report({ code: "unserializable", message: "An error can't be serialized", id, cause });
    }
    try {
      this.#outbox.send({ jsonrpc: "2.0", id, error: { code: object.code, message: object.message } });
    } catch (cause) {
      this.#observers.report({ code: "unserializable", message: "A response could not be sent at all", id, cause });
    }
  }

  #errorFor(request: IncomingRequest, error: unknown): RpcError {
    if (isRpcError(error)) return error;
    if (request.aborted) return requestCancelled();
    const { id, method } = request;
    const message = `The handler of ${method} failed; the peer received "Internal error"`;
    this.#observers.report({ code: "handler_failed", message, method, id, cause: error });
    return new RpcError(JsonRpcErrorCode.internalError, "Internal error", { cause: error });
  }

  #done(request: IncomingRequest): void {
    request.hasResponse = true;
    this.#open.remove(request);
  }
}

/**
 * Returns the `result` for the value that a handler returned. The function never returns a value that JSON leaves out,
 * because a response must have a `result`.
 */
function resultOf(value: unknown): unknown {
  const toJSON = (value as { toJSON?: unknown } | null | undefined)?.toJSON;
  const plain = typeof toJSON === "function" ? toJSON.call(value, "result") : value;
  if (typeof plain === "function" || typeof plain === "symbol")
    throw new TypeError(`JSON can't represent the result of the handler, which is a ${typeof plain}`);
  return plain === undefined ? null : plain;
}

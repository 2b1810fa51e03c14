import { causeOf, keepCause } from "./error-causes.js";
import { JsonRpcErrorCode } from "./error-code.js";
import type { ErrorObject } from "./message.js";
import { shorten } from "./shorten.js";

const brand = Symbol.for("acp-kit.RpcError");

/**
 * The error of a JSON-RPC response. A request rejects with it when the peer responds with an error; a handler throws it
 * to respond with an error.
 *
 * Failures of the connection itself are {@link ConnectionError}s. Any other error that a handler throws becomes
 * `-32603` without details, so that stack traces and paths are not sent. Over {@link linkedTransports}, where both
 * sides are in one process, `cause` is the error that the handler threw.
 */
export class RpcError extends Error {
  static {
    Object.defineProperty(RpcError.prototype, brand, { value: true });
  }
  override readonly name = "RpcError";
  /** The error code. It can be any integer; {@link JsonRpcErrorCode} contains the reserved codes. */
  readonly code: number;
  /** Additional data of the error, in a shape that the sender chooses. */
  readonly data: unknown;

  constructor(code: number, message: string, options: { readonly data?: unknown; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }

  /** Returns the `error` member of a response. It never contains `stack` and `cause`. */
  toJSON(): ErrorObject {
    return this.data === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, data: this.data };
  }
}

/** Returns whether an error is an `RpcError`, also of another copy of the package or another realm. */
export function isRpcError(value: unknown): value is RpcError {
  return typeof value === "object" && value !== null && brand in value;
}

/** Creates the error `-32601` for a method without a handler. */
export function methodNotFound(method: string): RpcError {
  const name = shorten(method);
  return new RpcError(JsonRpcErrorCode.methodNotFound, `Method not found: ${name}`, { data: { method: name } });
}

/** Creates the error `-32602` for params that are not valid for the method; `data` describes the problem. */
export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(JsonRpcErrorCode.invalidParams, message, { data });
}

/** Creates the error `-32800` for a request that was cancelled. */
export function requestCancelled(message = "Request cancelled"): RpcError {
  return new RpcError(JsonRpcErrorCode.requestCancelled, message);
}

/** Converts the `error` member of a response to an `RpcError`, whatever value the peer sent. */
export function rpcErrorFrom(error: unknown): RpcError {
  if (typeof error === "object" && error !== null) {
    const { code, message, data } = error as Record<string, unknown>;
    const text = typeof message === "string" && message !== "" ? message : undefined;
    if (Number.isInteger(code))
      return new RpcError(code as number, text ?? `Error ${code}`, { data, cause: causeOf(error) });
    if (text !== undefined) return new RpcError(JsonRpcErrorCode.internalError, text, { data: error });
  }
  const text =
    typeof error === "string" && error !== ""
      ? error
      : "The peer responded with an error that is not a valid error object";
  return new RpcError(JsonRpcErrorCode.internalError, text, { data: error });
}

/** Converts any thrown value to the `error` member of a response, with an int32 as code and a string as message. */
export function errorObject({ code, message, data, cause }: RpcError): ErrorObject {
  const object = { code: code === (code | 0) ? code : JsonRpcErrorCode.internalError, message: String(message) };
  const complete = data === undefined ? object : { ...object, data };
  keepCause(complete, cause);
  return complete;
}

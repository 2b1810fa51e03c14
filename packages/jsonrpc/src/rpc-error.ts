import { JsonRpcErrorCode } from "./error-code.js";
import type { ErrorObject } from "./message.js";

const brand = Symbol.for("acp-kit.RpcError");

/**
 * An error object: the peer answered with it, or a handler throws it to answer with it.
 *
 * Failures of the connection itself are {@link ConnectionError}. What a handler throws otherwise is answered as
 * `-32603` without details, so that stack traces and paths stay home.
 */
export class RpcError extends Error {
  static {
    Object.defineProperty(RpcError.prototype, brand, { value: true });
  }
  override readonly name = "RpcError";
  /** Any integer; the reserved ones are in {@link JsonRpcErrorCode}. */
  readonly code: number;
  /** Whatever the sender added; has no fixed shape. */
  readonly data: unknown;

  constructor(code: number, message: string, options: { readonly data?: unknown; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }

  /** The `error` member of a response. `stack` and `cause` are never part of it. */
  toJSON(): ErrorObject {
    return this.data === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, data: this.data };
  }
}

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isRpcError(value: unknown): value is RpcError {
  return typeof value === "object" && value !== null && brand in value;
}

/** `-32601`: nobody handles `method` here. */
export function methodNotFound(method: string): RpcError {
  return new RpcError(JsonRpcErrorCode.methodNotFound, `Method not found: ${method}`, { data: { method } });
}

/** `-32602`: the params are not what the method takes; `data` says where. */
export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(JsonRpcErrorCode.invalidParams, message, { data });
}

/** `-32800`: the request was cancelled. */
export function requestCancelled(message = "Request cancelled"): RpcError {
  return new RpcError(JsonRpcErrorCode.requestCancelled, message);
}

/** Reads the `error` member of a response, whatever the peer put there. */
export function rpcErrorFrom(error: unknown): RpcError {
  if (typeof error === "object" && error !== null) {
    const { code, message, data } = error as Record<string, unknown>;
    const text = typeof message === "string" && message !== "" ? message : undefined;
    if (Number.isInteger(code)) return new RpcError(code as number, text ?? `Error ${code}`, { data });
    if (text !== undefined) return new RpcError(JsonRpcErrorCode.internalError, text, { data: error });
  }
  const text = typeof error === "string" && error !== "" ? error : "The peer answered with something that is no error";
  return new RpcError(JsonRpcErrorCode.internalError, text, { data: error });
}

/** The `error` member that is sent: the code is an int32 and the message a string, whatever was thrown. */
export function errorObject({ code, message, data }: RpcError): ErrorObject {
  const object = { code: code === (code | 0) ? code : JsonRpcErrorCode.internalError, message: String(message) };
  return data === undefined ? object : { ...object, data };
}

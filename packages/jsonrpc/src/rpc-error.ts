import { JsonRpcErrorCode } from "./error-code.js";
import type { ErrorObject } from "./message.js";
import { shorten } from "./shorten.js";

const brand = Symbol.for("acp-kit.RpcError");

/**
 * An error object: the peer responded with it, or a handler throws it to respond with it.
 *
 * Failures of the connection itself are {@link ConnectionError}. Any other error that a handler throws becomes `-32603` without
 * details, so that stack traces and paths are not sent.
 */
export class RpcError extends Error {
  static {
    Object.defineProperty(RpcError.prototype, brand, { value: true });
  }
  override readonly name = "RpcError";
  /** Any integer; the reserved ones are in {@link JsonRpcErrorCode}. */
  readonly code: number;
  /** Additional data of the sender; has no fixed shape. */
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

/** Works across duplicate installs and realms, where `instanceof` does not. */
export function isRpcError(value: unknown): value is RpcError {
  return typeof value === "object" && value !== null && brand in value;
}

/** Creates the error `-32601`: this peer has no handler for `method`. */
export function methodNotFound(method: string): RpcError {
  const name = shorten(method);
  return new RpcError(JsonRpcErrorCode.methodNotFound, `Method not found: ${name}`, { data: { method: name } });
}

/** Creates the error `-32602`: the params are not valid for the method; `data` says where. */
export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(JsonRpcErrorCode.invalidParams, message, { data });
}

/** Creates the error `-32800`: the request was cancelled. */
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
  const text = typeof error === "string" && error !== "" ? error : "The peer responded with an invalid error object";
  return new RpcError(JsonRpcErrorCode.internalError, text, { data: error });
}

/** Returns the `error` member to send: the code is an int32 and the message a string, whatever was thrown. */
export function errorObject({ code, message, data }: RpcError): ErrorObject {
  const object = { code: code === (code | 0) ? code : JsonRpcErrorCode.internalError, message: String(message) };
  return data === undefined ? object : { ...object, data };
}

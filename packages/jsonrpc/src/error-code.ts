/**
 * The error codes that JSON-RPC 2.0 reserves, and the one for cancelled requests. A peer may send any other integer.
 *
 * @see https://www.jsonrpc.org/specification#error_object
 */
export const JsonRpcErrorCode = {
  /** The input was not JSON. */
  parseError: -32700,
  /** The JSON was not a request, notification or response. */
  invalidRequest: -32600,
  /** The method has no handler, or the capability it needs was not advertised. */
  methodNotFound: -32601,
  /** The params are not valid for the method. */
  invalidParams: -32602,
  /** The handler failed. */
  internalError: -32603,
  /** The request was cancelled, by `$/cancel_request` or by the handler itself. */
  requestCancelled: -32800,
} as const;
export type JsonRpcErrorCode = (typeof JsonRpcErrorCode)[keyof typeof JsonRpcErrorCode];

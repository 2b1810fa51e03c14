/**
 * The error codes that JSON-RPC 2.0 reserves, and the one for cancelled requests. Any other integer may arrive.
 *
 * @see https://www.jsonrpc.org/specification#error_object
 */
export const JsonRpcErrorCode = {
  /** The input was not JSON. */
  parseError: -32700,
  /** The JSON was not a request, notification or response. */
  invalidRequest: -32600,
  /** Nobody handles the method, or the capability it needs was not advertised. */
  methodNotFound: -32601,
  /** The params are not what the method takes. */
  invalidParams: -32602,
  /** The handler failed. */
  internalError: -32603,
  /** The request was cancelled, by `$/cancel_request` or from inside. */
  requestCancelled: -32800,
} as const;
export type JsonRpcErrorCode = (typeof JsonRpcErrorCode)[keyof typeof JsonRpcErrorCode];

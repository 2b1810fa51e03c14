/**
 * The error codes that JSON-RPC 2.0 reserves, and the code for cancelled requests. A peer can also send any other
 * integer as a code.
 *
 * @see https://www.jsonrpc.org/specification#error_object
 */
export const JsonRpcErrorCode = {
  /** The code for input that is not JSON. */
  parseError: -32700,
  /** The code for JSON that is not a request, notification or response. */
  invalidRequest: -32600,
  /** The code for a method that has no handler, or whose capability was not advertised. */
  methodNotFound: -32601,
  /** The code for params that are not valid for the method. */
  invalidParams: -32602,
  /** The code for a request whose handler failed. */
  internalError: -32603,
  /** The code for a request that was cancelled, by `$/cancel_request` or by its handler. */
  requestCancelled: -32800,
} as const;
export type JsonRpcErrorCode = (typeof JsonRpcErrorCode)[keyof typeof JsonRpcErrorCode];

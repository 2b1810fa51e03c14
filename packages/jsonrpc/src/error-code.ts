/**
 * The error codes that JSON-RPC 2.0 reserves, and the one for cancelled requests. A peer may send any other integer.
 *
 * @see https://www.jsonrpc.org/specification#error_object
 */
export const ErrorCode = {
  /** The input was not JSON. */
  ParseError: -32700,
  /** The JSON was not a request, notification or response. */
  InvalidRequest: -32600,
  /** The method has no handler, or the capability it needs was not advertised. */
  MethodNotFound: -32601,
  /** The params are not valid for the method. */
  InvalidParams: -32602,
  /** The handler failed. */
  InternalError: -32603,
  /** The request was cancelled, by `$/cancel_request` or by the handler itself. */
  RequestCancelled: -32800,
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

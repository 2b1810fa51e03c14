const brand = Symbol.for("acp-kit.ConnectionError");

/**
 * The reasons why a request got no response over a connection:
 *
 * - `closed`: the application closed the connection, before or during the request.
 * - `peer_closed`: the peer ended its output, so no more responses can arrive.
 * - `transport_failed`: the transport failed; `cause` is the transport's error.
 * - `timeout`: the deadline of the request passed. The connection stays open.
 * - `invalid_response`: the response is not a valid JSON-RPC response, or is too large to read. The connection stays
 *   open.
 * - `backlog_full`: while the request waited for its response, more than six times `maxBacklogBytes` of messages waited
 *   for handlers. The connection has ended.
 */
export type ConnectionErrorCode =
  | "closed"
  | "peer_closed"
  | "transport_failed"
  | "timeout"
  | "invalid_response"
  | "backlog_full";

/**
 * The error of a request that got no usable response because of its connection. It is unknown whether the request
 * reached the peer.
 *
 * When a connection ends, every pending request rejects with a separate error, so that each stack shows the caller of
 * its request. All these errors have the same `cause`: the reason why the connection ended.
 */
export class ConnectionError extends Error {
  static {
    Object.defineProperty(ConnectionError.prototype, brand, { value: true });
  }
  override readonly name = "ConnectionError";
  /** The reason of the failure; see {@link ConnectionErrorCode}. */
  readonly code: ConnectionErrorCode;
  /** The method of the failed request, if the error belongs to a request. */
  readonly method: string | undefined;

  constructor(
    code: ConnectionErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly method?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.method = options.method;
  }
}

/**
 * Returns whether an error is a `ConnectionError`, even if the package is installed twice or the error was created in
 * another JavaScript realm, such as an iframe.
 */
export function isConnectionError(value: unknown): value is ConnectionError {
  return typeof value === "object" && value !== null && brand in value;
}

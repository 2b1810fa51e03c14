const brand = Symbol.for("acp-kit.ConnectionError");

/**
 * Why a request got no response over this connection:
 *
 * - `closed`: this side closed the connection, or it was closed already.
 * - `peer_closed`: the peer ended its output; no more responses can arrive.
 * - `transport_failed`: the transport failed; its error is the `cause`.
 * - `timeout`: the deadline of the request passed. The connection stays open.
 * - `invalid_response`: the peer responded with something that is not a valid response, or is too large to read. The connection
 *   stays open.
 * - `backlog_full`: reading has paused at `maxBacklogBytes`, so the response can't arrive, and no handler has finished for
 *   `stallTimeoutMs`. The connection stays open.
 */
export type ConnectionErrorCode =
  | "closed"
  | "peer_closed"
  | "transport_failed"
  | "timeout"
  | "invalid_response"
  | "backlog_full";

/**
 * A request failed because of the connection. Whether the peer received it is unknown.
 *
 * When a connection ends, every pending request rejects with an error of its own, so that each stack shows its caller. The
 * `cause` of all of them is the one reason that ended the connection.
 */
export class ConnectionError extends Error {
  static {
    Object.defineProperty(ConnectionError.prototype, brand, { value: true });
  }
  override readonly name = "ConnectionError";
  /** See {@link ConnectionErrorCode}. */
  readonly code: ConnectionErrorCode;
  /** The method of the pending request, if the error belongs to one. */
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

/** Works across duplicate installs and realms, where `instanceof` does not. */
export function isConnectionError(value: unknown): value is ConnectionError {
  return typeof value === "object" && value !== null && brand in value;
}

const brand = Symbol.for("acp-kit.ConnectionError");

/**
 * Why the connection could not carry a request to its answer:
 *
 * - `closed`: this side closed the connection, or it was closed already.
 * - `peer_closed`: the peer ended its output; nothing can be answered any more.
 * - `transport_failed`: the transport broke; its error is the `cause`.
 * - `timeout`: the deadline of the request passed. The connection lives on.
 * - `invalid_response`: the peer answered, but with something that is not a response, or is too large to be read. The connection lives on.
 * - `backlog_full`: reading has paused at `maxBacklogBytes`, so that the answer can't arrive, and for `stallTimeoutMs` no handler has
 *   finished. The connection lives on.
 */
export type ConnectionErrorCode =
  | "closed"
  | "peer_closed"
  | "transport_failed"
  | "timeout"
  | "invalid_response"
  | "backlog_full";

/**
 * The connection could not carry a request to its answer. Whether the peer saw the request is unknown.
 *
 * When a connection ends, every pending request rejects with an error of its own (so that stacks tell who waited)
 * whose `cause` is the one reason that ended the connection.
 */
export class ConnectionError extends Error {
  static {
    Object.defineProperty(ConnectionError.prototype, brand, { value: true });
  }
  override readonly name = "ConnectionError";
  /** See {@link ConnectionErrorCode}. */
  readonly code: ConnectionErrorCode;
  /** The method of the request that was waiting, if one was. */
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

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isConnectionError(value: unknown): value is ConnectionError {
  return typeof value === "object" && value !== null && brand in value;
}

const brand = Symbol.for("acp-kit.RemoteError");

/**
 * The reasons why a client could not reach a remote agent, or lost its connection:
 *
 * - `unreachable`: the request or socket failed, and nothing was received.
 * - `unauthorized`: the server responded 401, also after the token was renewed; or the function `token` or `headers`
 *   failed.
 * - `forbidden`: the server responded 403, for example because it does not allow the `Host` or `Origin`.
 * - `refused`: the server responded with another status, see `status` and `body`; or it closed the WebSocket with 1009,
 *   because a message is too large.
 * - `connection_lost`: the server no longer knows the connection, because it was restarted or the client was away for
 *   too long.
 * - `stream_broken`: a stream broke and could not be continued.
 * - `bad_response`: the response does not follow the protocol.
 * - `timeout`: no response, or no keep-alive, arrived in time.
 * - `overflow`: too many unread messages arrived on a transport that can't make the peer wait, such as a message
 *   port.
 * - `aborted`: the caller's signal aborted.
 */
export type RemoteErrorCode =
  | "unreachable"
  | "unauthorized"
  | "forbidden"
  | "refused"
  | "connection_lost"
  | "stream_broken"
  | "bad_response"
  | "timeout"
  | "overflow"
  | "aborted";

/** The details of a {@link RemoteError}. */
export interface RemoteErrorDetails {
  /** The URL of the agent, without its query, which may contain a credential. It is empty for a message port. */
  readonly url: string;
  readonly status?: number | undefined;
  /** The first 8 KiB of the body of the HTTP response. */
  readonly body?: string | undefined;
  readonly cause?: unknown;
}

/** A failure of the connection to a remote agent. This error is the `cause` of the errors of all pending requests. */
export class RemoteError extends Error {
  static {
    Object.defineProperty(RemoteError.prototype, brand, { value: true });
  }
  override readonly name = "RemoteError";
  readonly code: RemoteErrorCode;
  /** The URL of the agent, without its query. It is empty for a message port. */
  readonly url: string;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** The first 8 KiB of the body of the HTTP response. */
  readonly body: string | undefined;

  constructor(code: RemoteErrorCode, message: string, { url, status, body, cause }: RemoteErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.url = url;
    this.status = status;
    this.body = body;
  }
}

/**
 * Returns whether an error is a `RemoteError`, even if the package is installed twice or the error was created in
 * another JavaScript realm, such as an iframe.
 */
export function isRemoteError(value: unknown): value is RemoteError {
  return typeof value === "object" && value !== null && brand in value;
}

/** Returns a URL without user, password, query and fragment. */
export function plainUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

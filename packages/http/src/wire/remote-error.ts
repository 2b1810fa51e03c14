const brand = Symbol.for("acp-kit.RemoteError");

/**
 * Why a remote agent could not be reached, or was lost:
 *
 * - `unreachable`: the request or socket failed; nothing was received.
 * - `unauthorized`: 401, also after the token was renewed.
 * - `forbidden`: 403, such as a `Host` or `Origin` that the server does not allow.
 * - `refused`: another status; see `status` and `body`.
 * - `connection_lost`: the server does not know the connection any more: it was restarted, or the client was away for too long.
 * - `stream_broken`: a stream broke and could not be continued.
 * - `bad_response`: the response is not what the protocol says.
 * - `timeout`: no response, or no sign of life, in time.
 * - `overflow`: more arrived than was read, on a transport that can't make the peer wait, a message port included.
 * - `aborted`: the caller's signal.
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

/** What a {@link RemoteError} carries beside its message. */
export interface RemoteErrorDetails {
  /** The address, without its query: that may hold a credential. A message port has none: then it is empty. */
  readonly url: string;
  readonly status?: number | undefined;
  /** The first 8 KiB of the body of the response. */
  readonly body?: string | undefined;
  readonly cause?: unknown;
}

/** A remote agent could not be reached, or was lost. It is the `cause` of the errors of all pending requests. */
export class RemoteError extends Error {
  static {
    Object.defineProperty(RemoteError.prototype, brand, { value: true });
  }
  override readonly name = "RemoteError";
  readonly code: RemoteErrorCode;
  /** The address, without its query. Empty for a message port. */
  readonly url: string;
  /** The HTTP status, where there was a response. */
  readonly status: number | undefined;
  /** The first 8 KiB of the body of the response. */
  readonly body: string | undefined;

  constructor(code: RemoteErrorCode, message: string, { url, status, body, cause }: RemoteErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.url = url;
    this.status = status;
    this.body = body;
  }
}

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isRemoteError(value: unknown): value is RemoteError {
  return typeof value === "object" && value !== null && brand in value;
}

/** An address without user, password, query and fragment. */
export function plainUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

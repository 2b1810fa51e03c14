import { isRpcError, JsonRpcErrorCode, RpcError } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import type { AllGatewayLimits } from "./limits.js";

/**
 * The reasons for errors of the gateway itself. A response with such an error contains the reason in `data.reason`:
 *
 * - `agent_failed`: the agent process ended in the middle of the turn, or could not be started.
 * - `turn_interrupted`: the replica that ran the turn ended; the turn was not run again.
 * - `session_lost`: the agent ended and can't open the session again. The history of the session can still be loaded.
 * - `client_gone`: the client that provided files or terminals to the agent has disconnected.
 * - `engine_unavailable`: sessions can't be read or written at the moment.
 * - `cursor_expired`: the retention policy removed entries that follow the cursor. Load the session, don't resume
 *   it.
 * - `journal_lost`: the journal lost entries that the client has received. Load the session, don't resume it.
 * - `read_only`: the principal may only observe.
 * - `limit`: a limit of the principal is reached. `data.limit` is the name of the limit, `data.retryAfterMs` the time
 *   until the next attempt, if known.
 * - `folder_not_allowed`: sessions of the principal may not use the folder. `data.folder` is the folder that they may
 *   use.
 * - `draining`: the server is being shut down.
 */
export type GatewayErrorReason =
  | "agent_failed"
  | "turn_interrupted"
  | "session_lost"
  | "client_gone"
  | "engine_unavailable"
  | "cursor_expired"
  | "journal_lost"
  | "read_only"
  | "limit"
  | "folder_not_allowed"
  | "draining";

/** Creates an error of the gateway itself. */
export function gatewayError(
  reason: GatewayErrorReason,
  message: string,
  options: { readonly cause?: unknown; readonly data?: object } = {},
): RpcError {
  return new RpcError(codes[reason] ?? JsonRpcErrorCode.internalError, message, {
    data: { reason, ...options.data },
    cause: options.cause,
  });
}

/** The codes of the errors that the client causes. */
const codes: { readonly [Reason in GatewayErrorReason]?: number } = {
  read_only: JsonRpcErrorCode.invalidRequest,
  limit: JsonRpcErrorCode.invalidRequest,
  folder_not_allowed: JsonRpcErrorCode.invalidParams,
};

/** Returns the reason in an error response of a gateway, or `undefined` for any other error. */
export function gatewayErrorReason(error: unknown): GatewayErrorReason | undefined {
  if (!isRpcError(error) || typeof error.data !== "object" || error.data === null) return undefined;
  const { reason } = error.data as { readonly reason?: unknown };
  return reasons.find((known) => known === reason);
}

const reasons: readonly GatewayErrorReason[] = [
  "agent_failed",
  "turn_interrupted",
  "session_lost",
  "client_gone",
  "engine_unavailable",
  "cursor_expired",
  "journal_lost",
  "read_only",
  "limit",
  "folder_not_allowed",
  "draining",
];

/**
 * Creates the error for an unknown session and for a session of another principal. These errors must be equal, byte
 * for byte.
 */
export function sessionNotFound(): RpcError {
  return new RpcError(SESSION_NOT_FOUND, "Resource not found: session");
}

/** Returns whether {@link sessionNotFound} created an error. */
export function isSessionNotFound(error: unknown): boolean {
  return isRpcError(error) && error.code === SESSION_NOT_FOUND;
}

const SESSION_NOT_FOUND = -32002;

/** Creates the error for a cursor before the oldest kept entry. */
export function cursorExpired(): RpcError {
  return gatewayError(
    "cursor_expired",
    "The entries after the cursor were removed: load the session instead of resuming it",
  );
}

/**
 * Creates the error for a limit that a principal has reached.
 *
 * @param retryAfterMs the time until the next attempt can succeed, if known.
 */
export function limitReached(limit: keyof AllGatewayLimits, message: string, retryAfterMs?: number): RpcError {
  return gatewayError("limit", message, { data: { limit, ...(retryAfterMs !== undefined && { retryAfterMs }) } });
}

/**
 * Converts an error to the form in the journal and on the wire. Any error but an {@link RpcError} becomes
 * `Internal error`, without its message.
 */
export function errorObjectOf(error: unknown): ErrorObject {
  return isRpcError(error) ? error.toJSON() : { code: JsonRpcErrorCode.internalError, message: "Internal error" };
}

/** Converts an error from the journal or the wire to an {@link RpcError}. */
export function rpcErrorOf({ code, message, data }: ErrorObject): RpcError {
  return new RpcError(code, message, { data });
}

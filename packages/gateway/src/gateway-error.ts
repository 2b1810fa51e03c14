import { type ErrorObject, isRpcError, JsonRpcErrorCode, RpcError } from "@acp-kit/jsonrpc";
import type { GatewayLimits } from "./limits.js";

/**
 * Why the gateway responded with an error of its own, in `data.reason` of the response:
 *
 * - `agent_failed`: the agent process ended in the middle of the turn, or could not be started.
 * - `turn_interrupted`: the replica that ran the turn ended; the turn was not run again.
 * - `session_lost`: the agent ended and can't open the session again. Its history can still be loaded.
 * - `client_gone`: the client that served the agent's files or terminals disconnected.
 * - `engine_unavailable`: sessions can't be written at the moment.
 * - `cursor_expired`: entries behind the cursor were removed by the retention policy: load the session, don't resume it.
 * - `journal_lost`: the journal lost entries that the client has received: load the session, don't resume it.
 * - `read_only`: the principal may only observe.
 * - `limit`: a limit of the principal is reached; `data.limit` names it, `data.retryAfterMs` says when to try again, if that is known.
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
  | "draining";

/** An error that the gateway itself responds with. */
export function gatewayError(
  reason: GatewayErrorReason,
  message: string,
  options: { readonly cause?: unknown; readonly data?: object } = {},
): RpcError {
  const code =
    reason === "read_only" || reason === "limit" ? JsonRpcErrorCode.invalidRequest : JsonRpcErrorCode.internalError;
  return new RpcError(code, message, { data: { reason, ...options.data }, cause: options.cause });
}

/** The reason of an error that a gateway responded with; `undefined` for any other error. */
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
  "draining",
];

/** The same for a session that does not exist, and for one of another principal: not a byte differs. */
export function sessionNotFound(): RpcError {
  return new RpcError(-32002, "Resource not found: session");
}

/** The client is behind the oldest entry that is kept. */
export function cursorExpired(): RpcError {
  return gatewayError("cursor_expired", "The entries behind the cursor were removed: load the session instead");
}

/** A limit of a principal is reached: `limit` is its name. @param retryAfterMs when the next attempt can succeed, if that is known. */
export function limitReached(limit: keyof GatewayLimits, message: string, retryAfterMs?: number): RpcError {
  return gatewayError("limit", message, { data: { limit, ...(retryAfterMs !== undefined && { retryAfterMs }) } });
}

/** An error as it is journalled and forwarded. Anything but an {@link RpcError} shows nothing of itself. */
export function errorObjectOf(error: unknown): ErrorObject {
  return isRpcError(error) ? error.toJSON() : { code: JsonRpcErrorCode.internalError, message: "Internal error" };
}

/** A journalled or forwarded error, to respond with. */
export function rpcErrorOf({ code, message, data }: ErrorObject): RpcError {
  return new RpcError(code, message, { data });
}

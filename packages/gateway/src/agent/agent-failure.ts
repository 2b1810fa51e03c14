import { type ConnectionError, isConnectionError, isRpcError, type RpcError } from "@acp-kit/jsonrpc";
import { gatewayError } from "../gateway-error.js";

/**
 * Returns an error response of the agent unchanged. If the agent's connection ended instead, returns the error
 * `agent_failed` with the exit code or signal of the agent's process.
 */
export function agentFailure(error: unknown): RpcError {
  if (isRpcError(error)) return error;
  const cause = isConnectionError(error) ? (error as ConnectionError).cause : undefined;
  return gatewayError("agent_failed", "The agent ended before it responded", { cause: error, data: exitOf(cause) });
}

/** Finds the exit code and signal of a process in an error or its causes. */
function exitOf(error: unknown): object {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 5; depth++) {
    const { exitCode, signal, cause } = at as { exitCode?: unknown; signal?: unknown; cause?: unknown };
    const known = { ...(typeof exitCode === "number" && { exitCode }), ...(typeof signal === "string" && { signal }) };
    if (Object.keys(known).length > 0) return known;
    at = cause;
  }
  return {};
}

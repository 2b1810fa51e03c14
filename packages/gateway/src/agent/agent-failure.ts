import { type ConnectionError, isConnectionError, isRpcError, type RpcError } from "@acp-kit/jsonrpc";
import { gatewayError } from "../gateway-error.js";

/** The agent's own error as it is; the end of its connection as `agent_failed`, with how its process ended. */
export function agentFailure(error: unknown): RpcError {
  if (isRpcError(error)) return error;
  const cause = isConnectionError(error) ? (error as ConnectionError).cause : undefined;
  return gatewayError("agent_failed", "The agent ended before it responded", { cause: error, data: exitOf(cause) });
}

/** Exit code and signal of a process, wherever they are among the causes. */
function exitOf(error: unknown): object {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 5; depth++) {
    const { exitCode, signal, cause } = at as { exitCode?: unknown; signal?: unknown; cause?: unknown };
    const known = { ...(typeof exitCode === "number" && { exitCode }), ...(typeof signal === "string" && { signal }) };
    if (Object.keys(known).length > 0) return known;
    at = cause;
  }
  return {};
}

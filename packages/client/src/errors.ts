import { isRpcError, type RpcError } from "@acp-kit/protocol";

/**
 * Returns whether an error of the agent has the code `-32002`: the agent doesn't have the session, file or terminal.
 */
export function isNotFound(error: unknown): error is RpcError {
  return isRpcError(error) && error.code === -32002;
}

import { isRpcError, type RpcError } from "@acp-kit/protocol";

/** The agent wants a login first: offer its `authMethods`, then repeat the call. @see https://agentclientprotocol.com/protocol/v1/authentication */
export function isAuthRequired(error: unknown): error is RpcError {
  return isRpcError(error) && error.code === -32000;
}

/** The session, file or terminal is not there (any more). */
export function isNotFound(error: unknown): error is RpcError {
  return isRpcError(error) && error.code === -32002;
}

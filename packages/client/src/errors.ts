import { isRpcError, type RpcError } from "@acp-kit/protocol";

/** The session, file or terminal is not there (any more). */
export function isNotFound(error: unknown): error is RpcError {
  return isRpcError(error) && error.code === -32002;
}

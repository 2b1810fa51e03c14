import { isRpcError, type RpcError } from "@acp-kit/protocol";

/** Returns whether an error has the code `-32002`: the session, file or terminal does not exist. */
export function isNotFound(error: unknown): error is RpcError {
  return isRpcError(error) && error.code === -32002;
}

import { RpcError } from "@acp-kit/jsonrpc";

/**
 * Creates the error `-32000`: log in first. The client offers the agent's `authMethods` to the user, then sends the request again.
 *
 * @see https://agentclientprotocol.com/protocol/v1/authentication
 */
export function authRequired(message = "Authentication required"): RpcError {
  return new RpcError(-32000, message);
}

/** Creates the error `-32002`: the file, terminal or session does not exist. `data` says which. */
export function resourceNotFound(resource: string, data?: unknown): RpcError {
  return new RpcError(-32002, `Resource not found: ${resource}`, { data });
}

import { RpcError } from "@acp-kit/jsonrpc";

/**
 * `-32000`: log in first. The client offers the agent's `authMethods` and calls again.
 *
 * @see https://agentclientprotocol.com/protocol/v1/authentication
 */
export function authRequired(message = "Authentication required"): RpcError {
  return new RpcError(-32000, message);
}

/** `-32002`: the file, terminal or session is not there. `data` says which. */
export function resourceNotFound(what: string, data?: unknown): RpcError {
  return new RpcError(-32002, `Resource not found: ${what}`, { data });
}

import { RpcError } from "@acp-kit/jsonrpc";

/**
 * Creates the error `-32000` for a request that needs a login. A client that receives this error lets the user log in
 * with one of the agent's `authMethods`, and sends the request again.
 *
 * @see https://agentclientprotocol.com/protocol/v1/authentication
 */
export function authRequired(message = "Authentication required"): RpcError {
  return new RpcError(-32000, message);
}

/**
 * Creates the error `-32002` for a file, terminal or session that does not exist. `data` contains the name of the
 * missing file, terminal or session.
 */
export function resourceNotFound(resource: string, data?: unknown): RpcError {
  return new RpcError(-32002, `Resource not found: ${resource}`, { data });
}

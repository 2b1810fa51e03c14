import { isRpcError, RpcError } from "@acp-kit/protocol";
import type { LoginMethod } from "./login-method.js";

/**
 * The agent requires a login. Log in by one of its {@link methods} with `agent.login(method)`, then repeat the call; or pass `login` to
 * `connectAgent`, which does both by itself. If a login failed, its error is the `cause`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/authentication
 */
export class AuthRequiredError extends RpcError {
  /** The login methods that the agent advertised. */
  readonly methods: readonly LoginMethod[];

  constructor(error: RpcError, methods: readonly LoginMethod[], cause: unknown = error) {
    super(error.code, error.message, { data: error.data, cause });
    this.methods = methods;
  }
}

/** Whether the agent requires a login. `methods` are set unless the error comes from the bare `peer`. */
export function isAuthRequired(
  error: unknown,
): error is RpcError & { readonly methods?: AuthRequiredError["methods"] } {
  return isRpcError(error) && error.code === -32000;
}

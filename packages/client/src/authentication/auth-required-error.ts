import { isRpcError, RpcError } from "@acp-kit/protocol";
import type { LoginMethod } from "./login-method.js";

/**
 * The error of a call that the agent rejected because it requires a login. Log in with `agent.login(method)`, where
 * `method` is one of the error's {@link methods}, then repeat the call. If `connectAgent` has the option `login`, the
 * client does both automatically. If the client tried to log in and failed, `cause` is the error of the login.
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

/**
 * Returns whether an error means that the agent requires a login. Such an error is an {@link AuthRequiredError} with
 * `methods`, except after a call of `agent.peer`, which rejects with an `RpcError` without `methods`.
 */
export function isAuthRequired(
  error: unknown,
): error is RpcError & { readonly methods?: AuthRequiredError["methods"] } {
  return isRpcError(error) && error.code === -32000;
}

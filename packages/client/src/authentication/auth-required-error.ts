import { isRpcError, RpcError } from "@acp-kit/protocol";
import type { LoginMethod } from "./login-method.js";

/**
 * The error of a call that the agent rejected because it requires a login. Log in with one of the error's
 * {@link methods} by `agent.login(method)`, then repeat the call. The option `login` of `connectAgent` does both
 * automatically. If a login was tried and failed, `cause` is the error of the login.
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

/** Returns whether an error means that the agent requires a login. The error has `methods`, unless a call of `agent.peer` threw it. */
export function isAuthRequired(
  error: unknown,
): error is RpcError & { readonly methods?: AuthRequiredError["methods"] } {
  return isRpcError(error) && error.code === -32000;
}

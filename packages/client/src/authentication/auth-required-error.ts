import { isRpcError, RpcError } from "@acp-kit/protocol";
import type { LoginMethod } from "./login-method.js";

/**
 * The agent wants a login first. Offer its {@link methods}, `agent.login(method)`, then repeat the call; or hand `login` to `connectAgent`, which
 * does that by itself. What was tried and failed is the `cause`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/authentication
 */
export class AuthRequiredError extends RpcError {
  /** The ways to log in that the agent offers. */
  readonly methods: readonly LoginMethod[];

  constructor(error: RpcError, methods: readonly LoginMethod[], cause: unknown = error) {
    super(error.code, error.message, { data: error.data, cause });
    this.methods = methods;
  }
}

/** The agent wants a login first. `methods` are there unless the error comes from the bare `peer`. */
export function isAuthRequired(
  error: unknown,
): error is RpcError & { readonly methods?: AuthRequiredError["methods"] } {
  return isRpcError(error) && error.code === -32000;
}

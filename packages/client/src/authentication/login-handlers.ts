import type { EnvVarLogin, LoginMethod, TerminalLogin, UnknownLogin } from "./login-method.js";

type Result<Value> = Value | PromiseLike<Value>;

/**
 * The functions by which an application lets the user log in. This package itself has no access to users, terminals or
 * environment variables.
 */
export interface LoginHandlers {
  /**
   * Lets the user choose one of `methods`: the login methods that the agent runs itself, and those for which
   * `LoginHandlers` has a handler. If `choose` returns `undefined`, the call that needed the login rejects with
   * `AuthRequiredError`.
   */
  choose(methods: readonly LoginMethod[]): Result<LoginMethod | undefined>;
  /**
   * Runs the agent's command in a terminal, with the `args` of the login method appended and its `env` set. Resolves
   * with `true` if the command exited with 0. If this handler is set, the client advertises terminal logins. Leave it
   * out if the application can't show a terminal, or if the agent runs on another machine.
   */
  terminal?(method: TerminalLogin): Result<boolean>;
  /**
   * Prompts the user for the values of environment variables and stores them, so that the agent gets them when it is
   * started again. Resolves with `true` if the values are stored.
   */
  environment?(method: EnvVarLogin): Result<boolean>;
  /**
   * Logs in with a login method of a kind that this library doesn't know. Resolves with `true` if the login succeeded.
   */
  unknown?(method: UnknownLogin): Result<boolean>;
}

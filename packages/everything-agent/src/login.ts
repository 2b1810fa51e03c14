import { RpcError } from "@acp-kit/agent";
import type { AuthMethod } from "@acp-kit/types";

/** Stores whether the user has logged in. */
export interface LoginState {
  isLoggedIn(): boolean;
  setLoggedIn(loggedIn: boolean): void;
}

/** Creates a login state that is kept as long as the agent runs. */
export function memoryLogin(): LoginState {
  let current = false;
  return {
    isLoggedIn: () => current,
    setLoggedIn: (loggedIn) => {
      current = loggedIn;
    },
  };
}

/**
 * Returns the login methods: a method that the agent handles itself, and a method for clients that can run a login
 * command in a terminal.
 */
export function authMethods(terminalLoginArgs: readonly string[] | undefined): AuthMethod[] {
  const agent: AuthMethod = {
    id: "pretend",
    name: "Pretend",
    description: "The login succeeds immediately; there is no account.",
  };
  if (terminalLoginArgs === undefined) return [agent];
  const name = "Log in in a terminal";
  const description = "Asks one question and remembers the answer in the store.";
  return [agent, { type: "terminal", id: "terminal", name, description, args: [...terminalLoginArgs] }];
}

/**
 * Throws `-32000` until the user has logged in. The client then offers the agent's `authMethods`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/authentication
 */
export function assertLoggedIn(login: LoginState | undefined): void {
  if (login !== undefined && !login.isLoggedIn()) throw new RpcError(-32000, "Authentication required");
}

import type { LoginState } from "./login.js";
import type { ConnectMcp } from "./mcp-connection.js";
import type { EverythingStore } from "./session-store.js";

/** Options of `everythingAgent`. Every option has a default. */
export interface EverythingOptions {
  /** The store of the sessions. By default, sessions are kept in memory as long as the agent runs. */
  readonly store?: EverythingStore | undefined;
  /**
   * The login state, if the agent requires a login: before the login, only `initialize`, `authenticate` and `logout`
   * work. By default, the agent requires no login.
   */
  readonly login?: LoginState | undefined;
  /**
   * The arguments with which the agent's command runs a login in a terminal. If they are set, the agent also offers
   * this login method.
   */
  readonly terminalLoginArgs?: readonly string[] | undefined;
  /** The number of sessions on a page of `session/list`. The default is 20. */
  readonly pageSize?: number | undefined;
  /** The time between two steps of a command, in milliseconds. The default is 20; tests use 0. */
  readonly paceMs?: number | undefined;
  /**
   * Connects to the MCP servers of a session. By default, the agent only lists MCP servers in its response to
   * `/session`. The command `acp-everything-agent` also starts and initializes MCP servers on stdio.
   */
  readonly connectMcp?: ConnectMcp | undefined;
  /** The version of the agent, which clients receive. The command line uses the version of the package. */
  readonly version?: string | undefined;
  /** Returns the current time, which the agent uses as `updatedAt` of sessions. */
  readonly now?: (() => Date) | undefined;
}

/** The default values of {@link EverythingOptions}. */
export const everythingDefaults = { pageSize: 20, paceMs: 20, version: "0.0.0" } as const;

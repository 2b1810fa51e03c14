import type { LoginState } from "./login.js";
import type { ConnectMcp } from "./mcp-connection.js";
import type { EverythingStore } from "./session-store.js";

/** Options of an everything agent. All have defaults. */
export interface EverythingOptions {
  /** Where sessions are stored. Default: in memory, as long as the agent runs. */
  readonly store?: EverythingStore | undefined;
  /** Require a login: only `initialize`, `authenticate` and `logout` work before it. Default: no login. */
  readonly login?: LoginState | undefined;
  /** Offer a terminal login beside the other one: the arguments with which this agent's command performs it. */
  readonly terminalLoginArgs?: readonly string[] | undefined;
  /** Sessions on a page of `session/list`. Default 20. */
  readonly pageSize?: number | undefined;
  /** The time between two steps of a command, in milliseconds. Default 20; tests use 0. */
  readonly paceMs?: number | undefined;
  /** Connects to the MCP servers of a session. The command starts those on stdio; default: none, they are only listed by `/session`. */
  readonly connectMcp?: ConnectMcp | undefined;
  /** The agent's version. The command uses its package's version. */
  readonly version?: string | undefined;
  /** The clock, for `updatedAt`. */
  readonly now?: (() => Date) | undefined;
}

/** The named defaults of {@link EverythingOptions}. */
export const everythingDefaults = { pageSize: 20, paceMs: 20, version: "0.0.0" } as const;

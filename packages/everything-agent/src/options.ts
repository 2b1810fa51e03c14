import type { LoginState } from "./login.js";
import type { ConnectMcp } from "./mcp-connection.js";
import type { EverythingStore } from "./session-store.js";

/** What an everything agent can be told. Everything has a default. */
export interface EverythingOptions {
  /** Where sessions are kept. Default: in memory, for as long as the agent lives. */
  readonly store?: EverythingStore | undefined;
  /** Ask for a login: nothing but `initialize`, `authenticate` and `logout` works before it. Default: no login. */
  readonly login?: LoginState | undefined;
  /** Offer a terminal login beside the other: the arguments that lead this agent's command into it. */
  readonly terminalLoginArgs?: readonly string[] | undefined;
  /** Sessions on a page of `session/list`. Default 20. */
  readonly pageSize?: number | undefined;
  /** The time between two steps of what is played, in milliseconds. Default 20; tests use 0. */
  readonly paceMs?: number | undefined;
  /** Connects to the MCP servers of a session. The command starts those on stdio; default: none are, they are only told by `/session`. */
  readonly connectMcp?: ConnectMcp | undefined;
  /** What the agent says its version is. The command says its package's. */
  readonly version?: string | undefined;
  /** The clock, for `updatedAt`. */
  readonly now?: (() => Date) | undefined;
}

/** The named defaults of {@link EverythingOptions}. */
export const everythingDefaults = { pageSize: 20, paceMs: 20, version: "0.0.0" } as const;

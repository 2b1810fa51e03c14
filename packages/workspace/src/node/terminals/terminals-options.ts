import type { AgentLedger, Environment } from "@acp-kit/stdio/node";
import type { TerminalExitStatus } from "@acp-kit/types";
import type { Roots } from "../roots.js";

/** The named defaults of `workspaceTerminals`. */
export const workspaceTerminalsDefaults: {
  readonly maxTerminals: number;
  readonly maxCommandBytes: number;
  readonly maxArguments: number;
  readonly maxOutputBytes: number;
  readonly maxLifetimeMs: number;
  readonly termGraceMs: number;
  readonly outputGraceMs: number;
} = {
  maxTerminals: 32,
  maxCommandBytes: 1_048_576,
  maxArguments: 4_096,
  maxOutputBytes: 1_048_576,
  maxLifetimeMs: 0,
  termGraceMs: 2_000,
  outputGraceMs: 500,
};

/** A command in a terminal, as far as a user interface wants to know. */
export interface TerminalInfo {
  readonly sessionId: string;
  readonly terminalId: string;
  /** As the agent wrote it. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** A shell, and what comes between it and a command line. */
export interface Shell {
  readonly command: string;
  /** `["-c"]`, `["-lc"]`, `["-NoProfile", "-Command"]`. */
  readonly args: readonly string[];
}

/** What an agent may run. Every limit has a default in {@link workspaceTerminalsDefaults}. */
export interface WorkspaceTerminalsOptions {
  /** Where commands may start; what they do there is theirs. Default `"session"`. A command without `cwd` starts in the first one. */
  readonly roots?: Roots;
  /** Runs command lines. Default: `/bin/sh -c`, on Windows `cmd.exe`. `false`: they are refused, and only `command` with `args` is run. */
  readonly shell?: Shell | false;
  /** Variables for every command, under those that the agent gives; `undefined` takes one away. */
  readonly env?: Environment;
  /**
   * Which variables of this process commands see: all (`true`), none (`false`), or those named. Default: `essentialEnvironment` of
   * `@acp-kit/stdio/node`, so that tokens and passwords of this process stay here.
   */
  readonly inheritEnv?: boolean | readonly string[];
  /** Hears what a command writes, as it comes, in whole characters. What hooks throw is ignored. */
  readonly onOutput?: (terminal: TerminalInfo, text: string) => void;
  readonly onStart?: (terminal: TerminalInfo) => void;
  readonly onExit?: (terminal: TerminalInfo, exitStatus: TerminalExitStatus) => void;
  /** Remembers the commands, so that the next start ends them when this process crashes and can't. See `createLedger` of `@acp-kit/stdio/node`. */
  readonly ledger?: AgentLedger;
  /** How many terminals a session may have that it did not release. All sessions that the client doesn't know count as one. */
  readonly maxTerminals?: number;
  /** The most bytes of a command with its arguments and variables. The system may allow less. */
  readonly maxCommandBytes?: number;
  /** The most arguments and variables of a command. */
  readonly maxArguments?: number;
  /** What is kept of the end of a terminal's output, whatever the agent asks for. */
  readonly maxOutputBytes?: number;
  /** How long a command may run before it is ended; 0 for as long as its session. */
  readonly maxLifetimeMs?: number;
  /** From `SIGTERM` to `SIGKILL`. */
  readonly termGraceMs?: number;
  /** How long the end of the output is waited for once the command has ended; what it left in the background can hold it open. */
  readonly outputGraceMs?: number;
}

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

/** A command in a terminal, for user interfaces. */
export interface TerminalInfo {
  readonly sessionId: string;
  readonly terminalId: string;
  /** As the agent wrote it. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** A shell, and the arguments before a command line. */
export interface Shell {
  readonly command: string;
  /** `["-c"]`, `["-lc"]`, `["-NoProfile", "-Command"]`. */
  readonly args: readonly string[];
}

/** Options of {@link workspaceTerminals}. Every limit has a default in {@link workspaceTerminalsDefaults}. */
export interface WorkspaceTerminalsOptions {
  /** Where commands may start; what they do after that is not restricted. Default `"session"`. A command without `cwd` starts in the first one. */
  readonly roots?: Roots;
  /** Runs command lines. Default: `/bin/sh -c`, on Windows `cmd.exe`. `false`: command lines are refused, and only `command` with `args` runs. */
  readonly shell?: Shell | false;
  /** Variables for every command, overridden by those of the agent; `undefined` removes one. */
  readonly env?: Environment;
  /**
   * Which variables of this process commands see: all (`true`), none (`false`), or those named. Default: `essentialEnvironment`
   * of `@acp-kit/stdio/node`, so that commands don't see tokens and passwords of this process.
   */
  readonly inheritEnv?: boolean | readonly string[];
  /** Receives the output of a command as it arrives, in whole characters. Errors that hooks throw are ignored. */
  readonly onOutput?: (terminal: TerminalInfo, text: string) => void;
  readonly onStart?: (terminal: TerminalInfo) => void;
  readonly onExit?: (terminal: TerminalInfo, exitStatus: TerminalExitStatus) => void;
  /** Records the commands, so that the next start ends them if this process crashes. See `createLedger` of `@acp-kit/stdio/node`. */
  readonly ledger?: AgentLedger;
  /** How many unreleased terminals a session may have. All sessions that the client doesn't know count as one. */
  readonly maxTerminals?: number;
  /** Maximum bytes of a command with its arguments and variables. The system may allow less. */
  readonly maxCommandBytes?: number;
  /** Maximum number of arguments and variables of a command. */
  readonly maxArguments?: number;
  /** Maximum bytes kept of the end of a terminal's output, whatever the agent requests. */
  readonly maxOutputBytes?: number;
  /** How long a command may run before it is ended; 0 for as long as its session. */
  readonly maxLifetimeMs?: number;
  /** From `SIGTERM` to `SIGKILL`. */
  readonly termGraceMs?: number;
  /** How long to wait for the end of the output once the command has ended; a background process can hold it open. */
  readonly outputGraceMs?: number;
}

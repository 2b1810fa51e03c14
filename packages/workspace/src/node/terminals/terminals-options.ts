import type { AgentLedger, Environment } from "@acp-kit/stdio/node";
import type { TerminalExitStatus } from "@acp-kit/types";
import type { Roots } from "../roots.js";

/** The default of every limit of `workspaceTerminals`. */
export const workspaceTerminalsDefaults: Required<
  Pick<WorkspaceTerminalsOptions, "maxTerminals" | "maxOutputBytes" | "maxLifetimeMs">
> = {
  maxTerminals: 32,
  maxOutputBytes: 1_048_576,
  maxLifetimeMs: 0,
};

/** The limits of terminals that are not options. Tests choose others. */
export interface FixedTerminalLimits {
  /** The maximum number of bytes of a command with its arguments and variables. The operating system may allow less. */
  readonly maxCommandBytes: number;
  /** The maximum number of arguments and variables of a command. */
  readonly maxArguments: number;
  /** The time in milliseconds between `SIGTERM` and `SIGKILL`. */
  readonly termGraceMs: number;
  /** The milliseconds for which output is read after the exit: a background process can keep it open. */
  readonly outputGraceMs: number;
}

export const fixedTerminalLimits: FixedTerminalLimits = {
  maxCommandBytes: 1_048_576,
  maxArguments: 4_096,
  termGraceMs: 2_000,
  outputGraceMs: 500,
};

/** A command in a terminal, for user interfaces and logs. */
export interface TerminalInfo {
  readonly sessionId: string;
  readonly terminalId: string;
  /** The command as the agent sent it. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** A shell, and its arguments before the command line. */
export interface Shell {
  readonly command: string;
  /** The arguments before the command line, such as `["-c"]`, `["-lc"]` or `["-NoProfile", "-Command"]`. */
  readonly args: readonly string[];
}

/** Options of {@link workspaceTerminals}. */
export interface WorkspaceTerminalsOptions {
  /**
   * The folders in which commands may start. A running command can also use files outside of them. The default is
   * `"session"`: the folders of the session. A command without `cwd` starts in the session's working directory or, if
   * that is not in one of the folders, in the first folder.
   */
  readonly roots?: Roots;
  /**
   * The shell that runs command lines. The default is `/bin/sh -c`, on Windows `cmd.exe`. With `false`, command lines
   * are refused, and only a `command` with `args` runs.
   */
  readonly shell?: Shell | false;
  /** Variables for every command, which the agent's override; `undefined` removes a variable. */
  readonly env?: Environment;
  /**
   * Which environment variables of the current process a command inherits: all (`true`), none (`false`), or those in
   * the list. The default is `essentialEnvironment` of `@acp-kit/stdio/node`, so that commands don't see tokens and
   * passwords of the current process.
   */
  readonly inheritEnv?: boolean | readonly string[];
  /** Receives the output of a command as it arrives, in whole characters. Errors that it throws are ignored. */
  readonly onOutput?: (terminal: TerminalInfo, text: string) => void;
  readonly onStart?: (terminal: TerminalInfo) => void;
  readonly onExit?: (terminal: TerminalInfo, exitStatus: TerminalExitStatus) => void;
  /**
   * A ledger, a record of running processes in a directory. If the current process is killed, the next start of a
   * command with the same ledger ends the commands that still run. `createLedger` of `@acp-kit/stdio/node` creates it.
   */
  readonly ledger?: AgentLedger;
  /**
   * The maximum number of terminals for each session. A terminal counts until the agent releases it. All sessions that
   * the client doesn't know share one count. The default is 32.
   */
  readonly maxTerminals?: number;
  /** The maximum bytes kept of a terminal's output, from the end, whatever is requested. The default is 1 MiB. */
  readonly maxOutputBytes?: number;
  /** The milliseconds after which a command is ended; with 0, the default, it may run until its session ends. */
  readonly maxLifetimeMs?: number;
}

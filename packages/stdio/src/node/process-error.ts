const brand = Symbol.for("acp-kit.ProcessError");

/**
 * Why a child process is not available:
 *
 * - `not_found`: the command does not exist; `searched` lists the directories searched.
 * - `not_executable`: the file exists and can't be run: no permission, a directory, or a missing interpreter.
 * - `bad_cwd`: the working directory doesn't exist.
 * - `spawn_failed`: the system refused for another reason, which is the `cause`.
 * - `exited`: it ended by itself, with `exitCode`.
 * - `killed`: a signal from elsewhere, `signal`, ended it.
 * - `silent`: it sent nothing within `startTimeoutMs` after the first message to it.
 * - `closed_output`, `closed_input`: it runs, but closed its standard output or input.
 * - `aborted`: the caller's signal ended it; its reason is the `cause`.
 * - `restart_budget`: it ended too often; the last error is the `cause`.
 */
export type ProcessErrorCode =
  | "not_found"
  | "not_executable"
  | "bad_cwd"
  | "spawn_failed"
  | "exited"
  | "killed"
  | "silent"
  | "closed_output"
  | "closed_input"
  | "aborted"
  | "restart_budget";

/** Facts about the process of a {@link ProcessError}. */
export interface ProcessErrorDetails {
  /** The command as the caller passed it. Arguments are left out: they may hold secrets. */
  readonly command: string;
  readonly pid?: number | undefined;
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** The end of its standard error, bounded. */
  readonly stderrTail?: string | undefined;
  /** The directories searched for the command. */
  readonly searched?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** A child process could not be started or has ended. Whether it received a pending request is unknown. */
export class ProcessError extends Error {
  override readonly name = "ProcessError";
  /** See {@link ProcessErrorCode}. */
  readonly code: ProcessErrorCode;
  readonly command: string;
  readonly pid: number | undefined;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
  readonly searched: readonly string[] | undefined;

  constructor(code: ProcessErrorCode, message: string, details: ProcessErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.command = details.command;
    this.pid = details.pid;
    this.exitCode = details.exitCode ?? null;
    this.signal = details.signal ?? null;
    this.stderrTail = details.stderrTail ?? "";
    this.searched = details.searched;
    // Set on each instance, not on the prototype: a bundler can then drop the class from an agent that starts no process.
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Works across duplicate installs and realms, where `instanceof` does not. */
export function isProcessError(value: unknown): value is ProcessError {
  return typeof value === "object" && value !== null && brand in value;
}

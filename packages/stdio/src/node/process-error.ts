const brand = Symbol.for("acp-kit.ProcessError");

/**
 * What became of a child process:
 *
 * - `not_found`: there is no such command; `searched` says where it was looked for.
 * - `not_executable`: the file exists and can't be run: no permission, a directory, or an interpreter that is missing.
 * - `bad_cwd`: the working directory doesn't exist.
 * - `spawn_failed`: the system refused for another reason, which is the `cause`.
 * - `exited`: it ended by itself, with `exitCode`.
 * - `killed`: a signal ended it, `signal`, that was not ours.
 * - `silent`: it said nothing within `startTimeoutMs` after the first message to it.
 * - `closed_output`, `closed_input`: it lives, but closed its standard output or input.
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

/** What is known about the process a {@link ProcessError} is about. */
export interface ProcessErrorDetails {
  /** The command as it was given. Arguments are left out: they may hold secrets. */
  readonly command: string;
  readonly pid?: number | undefined;
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** The end of what it wrote to standard error, bounded. */
  readonly stderrTail?: string | undefined;
  /** The directories in which the command was looked for. */
  readonly searched?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** A child process could not be started or is gone. Whether it saw a request that was pending is unknown. */
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
    // On each instance, not on the prototype: a bundler can drop the class then, from an agent that starts no process.
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isProcessError(value: unknown): value is ProcessError {
  return typeof value === "object" && value !== null && brand in value;
}

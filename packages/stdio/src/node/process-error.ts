const brand = Symbol.for("acp-kit.ProcessError");

/**
 * The reasons why a child process is not available:
 *
 * - `not_found`: the command does not exist; `searched` lists the directories that were searched.
 * - `not_executable`: the file exists but can't be executed: there is no permission, it is a directory, or its
 *   interpreter is missing.
 * - `bad_cwd`: the working directory doesn't exist, or the user has no permission to enter it.
 * - `spawn_failed`: the operating system refused to start the process for another reason, which is the `cause`; the
 *   command line is longer than Windows allows; or the ledger can't be written.
 * - `exited`: the process ended by itself, with `exitCode`.
 * - `killed`: a signal that this library did not send ended the process; see `signal`.
 * - `silent`: the process sent nothing within `startTimeoutMs` after the client's first message.
 * - `closed_output`, `closed_input`: the process runs, but closed its standard output or input.
 * - `aborted`: the caller's signal ended the process, and `cause` is the signal's reason; or its supervisor was closed.
 * - `restart_budget`: the supervised process crashed too often; `cause` is the last crash.
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

/** The members with which a {@link ProcessError} is created. */
export interface ProcessErrorDetails {
  /** The command, as the caller passed it. The arguments are left out, because they may contain secrets. */
  readonly command: string;
  readonly pid?: number | undefined;
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** The last part of the process's standard error. */
  readonly stderrTail?: string | undefined;
  /** The directories that were searched for the command. */
  readonly searched?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** A child process could not be started or has ended, with or without receiving a pending request. */
export class ProcessError extends Error {
  override readonly name = "ProcessError";
  /** The reason of the failure; see {@link ProcessErrorCode}. */
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
    // The brand is set on each instance and not on the prototype, so that a bundler can drop the class from an agent
    // that starts no process.
    Object.defineProperty(this, brand, { value: true });
  }
}

/**
 * Returns whether an error is a `ProcessError`, even if the package is installed twice or the error was created in
 * another JavaScript realm, such as an iframe.
 */
export function isProcessError(value: unknown): value is ProcessError {
  return typeof value === "object" && value !== null && brand in value;
}

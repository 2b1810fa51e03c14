import { ExitCode } from "./exit-code.js";

/** The error of a command that can't continue. Its message says what happened, where, and what the user can do. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Creates the error for a wrong command line, file or value, which exits with code 2. */
export function usageFailure(message: string, options?: { readonly cause?: unknown }): CommandFailure {
  return new CommandFailure(ExitCode.usage, message, options);
}

import { ExitCode } from "./exit-code.js";

/** A command can't go on, and this is what to tell the user: what happened, where, and what to do. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The user asked for something that can't be: exit code 2. */
export function usageFailure(message: string, options?: { readonly cause?: unknown }): CommandFailure {
  return new CommandFailure(ExitCode.usage, message, options);
}

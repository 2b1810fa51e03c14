import { isAuthRequired, isConnectionError } from "@acp-kit/client";
import { isProcessError } from "@acp-kit/stdio/node";
import type { StopReason } from "@acp-kit/types";
import { CommandFailure } from "./command-failure.js";
import { ExitCode } from "./exit-code.js";

/** Returns the exit code for an error of the libraries. The error of a failed process is a `cause` of the connection's error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode;
  if (isAuthRequired(error)) return ExitCode.authRequired;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isProcessError(cause)) return ExitCode.agentFailed;
  }
  if (isConnectionError(error)) return error.code === "timeout" ? ExitCode.timeout : ExitCode.agentFailed;
  return ExitCode.error;
}

/** Returns the exit code for the end of a turn. An unknown stop reason is an error: its meaning is unknown, too. */
export function exitCodeOfTurn(stopReason: StopReason | (string & {})): ExitCode {
  switch (stopReason) {
    case "end_turn":
      return ExitCode.ok;
    case "refusal":
    case "max_tokens":
    case "max_turn_requests":
      return ExitCode.refused;
    case "cancelled":
      return ExitCode.cancelled;
    default:
      return ExitCode.error;
  }
}

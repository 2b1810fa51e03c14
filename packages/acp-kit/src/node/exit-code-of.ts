import { isAuthRequired, isConnectionError, isRpcError } from "@acp-kit/client";
import type { GatewayErrorReason } from "@acp-kit/gateway";
import { isRemoteError, type RemoteErrorCode } from "@acp-kit/http";
import { isRegistryError, type RegistryErrorCode } from "@acp-kit/registry";
import { isProcessError } from "@acp-kit/stdio/node";
import type { StopReason } from "@acp-kit/types";
import { CommandFailure } from "./command-failure.js";
import { ExitCode } from "./exit-code.js";

/**
 * Returns the exit code for an error. Also examines its causes, because a cause may be an error of the agent's process,
 * or of the connection to a remote agent.
 */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode;
  if (isRegistryError(error)) return mistakes.has(error.code) ? ExitCode.usage : ExitCode.agentFailed;
  if (isAuthRequired(error)) return ExitCode.authRequired;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isProcessError(cause)) return ExitCode.agentFailed;
    if (isRemoteError(cause)) return exitCodeOfRemote(cause.code);
  }
  if (isLostByServer(error)) return ExitCode.agentFailed;
  if (isConnectionError(error)) return error.code === "timeout" ? ExitCode.timeout : ExitCode.agentFailed;
  return ExitCode.error;
}

/** Codes that mean a wrong command line or file, not a failure. */
const mistakes: ReadonlySet<RegistryErrorCode> = new Set([
  "unknown_agent",
  "not_installed",
  "invalid_settings",
  "no_distribution",
]);

/** Error reasons of `acp-kit serve` for an agent that could not be started, or has ended. */
const lost: ReadonlySet<unknown> = new Set<GatewayErrorReason>([
  "agent_failed",
  "turn_interrupted",
  "session_lost",
  "draining",
]);

function isLostByServer(error: unknown): boolean {
  return isRpcError(error) && lost.has((error.data as { readonly reason?: unknown } | null | undefined)?.reason);
}

function exitCodeOfRemote(code: RemoteErrorCode): ExitCode {
  if (code === "unauthorized") return ExitCode.authRequired;
  return code === "timeout" ? ExitCode.timeout : ExitCode.agentFailed;
}

/** Returns the exit code for the end of a turn. An unknown stop reason counts as an error. */
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

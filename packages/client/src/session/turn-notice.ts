import { RpcError } from "@acp-kit/protocol";
import type { PromptResponse } from "@acp-kit/types";

/**
 * A report of the agent about a turn of the session outside a response to a prompt: a turn is running, or the turn has
 * ended with a response or an error.
 */
export type TurnNotice = { readonly is: "running" } | { readonly is: "idle"; readonly outcome: TurnOutcome };

/** The response or the error with which a turn ended. */
export type TurnOutcome = { readonly response: PromptResponse } | { readonly error: unknown };

/**
 * Reads the notice in the `_meta` of `session_info_update` or of a response to `session/load` or `session/resume`.
 * Version 1 of the protocol has no such message. A gateway of `@acp-kit/gateway` sends it in `_meta`.
 */
export function turnNoticeOf(meta: Readonly<Record<string, unknown>> | null | undefined): TurnNotice | undefined {
  switch (meta?.["acp-kit/turn"]) {
    case "running":
      return { is: "running" };
    case "idle":
      return { is: "idle", outcome: outcomeOf(meta["acp-kit/outcome"]) };
    default:
      return undefined;
  }
}

/** Reads how a turn ended. Without a stop reason or an error, the turn ended normally. */
function outcomeOf(outcome: unknown): TurnOutcome {
  const { result, error } = Object(outcome) as { readonly result?: unknown; readonly error?: unknown };
  const { code, message, data } = Object(error) as { readonly [member: string]: unknown };
  if (typeof code === "number" && typeof message === "string") return { error: new RpcError(code, message, { data }) };
  const { stopReason } = Object(result) as { readonly stopReason?: unknown };
  if (typeof stopReason !== "string") return { response: { stopReason: "end_turn" } };
  return { response: result as PromptResponse };
}

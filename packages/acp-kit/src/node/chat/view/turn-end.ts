import type { TranscriptUsage } from "@acp-kit/client";
import { cleanLine } from "../text/clean.js";
import type { Paint } from "../text/paint.js";
import { seconds, tokens } from "./status-line.js";

const reasons: Readonly<Record<string, string>> = {
  cancelled: "Cancelled",
  refusal: "The agent refuses to continue; the last prompt is not part of the conversation",
  max_tokens: "The token limit of the model was reached",
  max_turn_requests: "The limit of model requests per turn was reached",
};

/** Returns the line below a turn. After success: the duration and, if reported, the token usage. */
export function turnEnd(
  {
    stopReason,
    durationMs,
    usage,
  }: { readonly stopReason: string; readonly durationMs: number; readonly usage: TranscriptUsage["lastTurn"] },
  paint: Paint,
): string[] {
  if (stopReason !== "end_turn") {
    const reason = reasons[stopReason] ?? `The turn ended: ${cleanLine(stopReason)}`;
    return [paint.yellow(`■ ${reason}`)];
  }
  const counted =
    usage === undefined ? "" : ` · ${tokens(usage.inputTokens)} tokens in, ${tokens(usage.outputTokens)} out`;
  if (durationMs < 2000 && counted === "") return [];
  return [paint.dim(`· ${seconds(durationMs)}${counted}`)];
}

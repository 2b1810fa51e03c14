import type * as v1 from "@acp-kit/types";
import type { Lost } from "./loss.js";

const v1Reasons: ReadonlySet<unknown> = new Set<v1.StopReason>([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
]);

/**
 * Converts the stop reason of an `idle` state. An absent reason is `end_turn`. The reason `error` is an error response
 * in version 1, so its caller handles it before.
 *
 * @see https://agentclientprotocol.com/protocol/v2/prompt-lifecycle
 */
export function stopReasonToV1(reason: unknown, lost: Lost): v1.StopReason {
  if (v1Reasons.has(reason)) return reason as v1.StopReason;
  if (reason !== undefined && reason !== null) lost("stop_reason");
  return "end_turn";
}

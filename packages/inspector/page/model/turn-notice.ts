import type { TranscriptEvent } from "@acp-kit/client";
import { asText, members, textOf } from "./members.js";

type TurnEnded = Extract<TranscriptEvent, { readonly type: "turn_ended" }>;
type TurnJoined = Extract<TranscriptEvent, { readonly type: "turn_joined" }>;

/** Returns the end of a turn from the result or the error of its prompt. */
export function turnEnded(result: unknown, error: unknown): TurnEnded {
  const stopReason = textOf(result, "stopReason");
  return {
    type: "turn_ended",
    ...(stopReason !== undefined && { stopReason: stopReason as never, response: members(result) }),
    ...(error !== undefined && {
      error: { message: asText(members(error).message), code: Number(asText(members(error).code)) },
    }),
  };
}

/**
 * Reads the `_meta` in which a gateway reports the turn of another client: it is running, or it has ended. The `_meta`
 * is that of `session_info_update` or of the response to `session/load` or `session/resume`.
 */
export function turnNotice(message: unknown): TurnJoined | TurnEnded | undefined {
  const meta = members(members(message)._meta);
  if (meta["acp-kit/turn"] === "running") return { type: "turn_joined" };
  if (meta["acp-kit/turn"] !== "idle") return undefined;
  const { result, error } = members(meta["acp-kit/outcome"]);
  return { ...turnEnded(result ?? { stopReason: "end_turn" }, error), joined: true };
}

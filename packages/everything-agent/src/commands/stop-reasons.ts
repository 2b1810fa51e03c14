import type { StopReason } from "@acp-kit/types";
import type { EverythingCommand } from "../command.js";

/** The command `refuse` ends its turn with the stop reason `refusal`. */
export const refuse: EverythingCommand = stopping(
  "refuse",
  "refusal",
  "End the turn with `refusal`: the prompt is not part of the conversation",
);
export const maxTokens: EverythingCommand = stopping("max-tokens", "max_tokens", "End the turn with `max_tokens`");
export const maxTurnRequests: EverythingCommand = stopping(
  "max-turn-requests",
  "max_turn_requests",
  "End the turn with `max_turn_requests`",
);

function stopping(name: string, stopReason: StopReason, description: string): EverythingCommand {
  return {
    name,
    description,
    async play(scene) {
      await scene.sendText(`This turn ends with ${stopReason}.`);
      return stopReason;
    },
  };
}

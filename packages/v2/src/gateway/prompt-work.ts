import type { AgentWork } from "@acp-kit/gateway/internal";
import type { IncomingStateUpdate } from "@acp-kit/types/v2";
import { isObject, present } from "../codec/objects.js";
import { WorkPeriods, workError } from "../session/work-periods.js";

type Outcome = Parameters<ReturnType<AgentWork["prompt"]>>[0];

/** Finds the ends of prompts for a gateway. The outcomes have the form of a response to a prompt of version 1. */
export class PromptWork implements AgentWork {
  readonly #work = new WorkPeriods();

  prompt(onEnd: (outcome: Outcome) => void): (response: Outcome) => void {
    const waiting = this.#work.sent({
      settle: (end) => {
        const { stopReason = "end_turn", _meta } = end;
        const { usage } = end as { usage?: unknown };
        if (stopReason === "error") onEnd({ error: workError(end) });
        else onEnd({ result: { stopReason, ...present({ usage, _meta }) } });
      },
    });
    return (response) => {
      if ("error" in response) {
        this.#work.rejected(waiting);
        return;
      }
      const messageId = isObject(response.result) ? response.result.messageId : undefined;
      this.#work.inserted(waiting, typeof messageId === "string" ? messageId : undefined);
    };
  }

  update(update: unknown): void {
    if (!isObject(update)) return;
    const { sessionUpdate, state, messageId } = update;
    if (sessionUpdate === "state_update" && typeof state === "string") this.#work.state(update as IncomingStateUpdate);
    const isUserMessage = sessionUpdate === "user_message" || sessionUpdate === "user_message_chunk";
    if (isUserMessage && typeof messageId === "string") this.#work.userMessage(messageId);
  }
}

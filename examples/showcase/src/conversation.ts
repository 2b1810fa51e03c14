import { type IncomingSessionUpdate, isKnownSessionUpdate } from "@acp-kit/types";
import { textOf } from "./render.js";

/** The conversation of a session. A replayed conversation must equal the live one. */
export class Conversation {
  user = "";
  agent = "";
  thoughts = "";
  /** The last status of each tool call, by its id. */
  readonly toolCalls = new Map<string, string>();
  /** Tool calls that were announced more than once. */
  readonly twice: string[] = [];

  add(update: IncomingSessionUpdate): void {
    if (!isKnownSessionUpdate(update)) return;
    switch (update.sessionUpdate) {
      case "user_message_chunk":
        this.user += textOf(update.content);
        break;
      case "agent_message_chunk":
        this.agent += textOf(update.content);
        break;
      case "agent_thought_chunk":
        this.thoughts += textOf(update.content);
        break;
      case "tool_call":
        if (this.toolCalls.has(update.toolCallId)) this.twice.push(update.toolCallId);
        this.toolCalls.set(update.toolCallId, update.status ?? "pending");
        break;
      case "tool_call_update":
        if (update.status != null) this.toolCalls.set(update.toolCallId, update.status);
    }
  }

  /** Returns the conversation as text, for comparing. */
  get summary(): { user: string; agent: string; thoughts: string; toolCalls: [string, string][] } {
    const { user, agent, thoughts, toolCalls } = this;
    return { user, agent, thoughts, toolCalls: [...toolCalls] };
  }
}

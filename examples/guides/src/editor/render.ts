// #region render
import { type IncomingSessionUpdate, isKnownSessionUpdate } from "@acp-kit/types";

/** Returns the line that the editor shows for an update. */
export function render(update: IncomingSessionUpdate): string {
  if (!isKnownSessionUpdate(update)) return `(something newer: ${update.sessionUpdate})`;
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      return update.content.type === "text" ? update.content.text : `[${update.content.type}]`;
    case "plan":
      return update.entries.map(({ status, content }) => `${status}: ${content}`).join("\n");
    case "tool_call":
      return `${update.kind ?? "other"}: ${update.title}`;
    case "tool_call_update":
      return `${update.toolCallId}: ${update.status ?? "changed"}`;
    default:
      return update.sessionUpdate; // commands, modes, options, title, usage, notices, compaction
  }
}
// #endregion render

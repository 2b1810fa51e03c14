import { type IncomingSessionUpdate, isKnownSessionUpdate, type SessionNotification } from "@acp-kit/schema";
import { decodeSessionNotification } from "@acp-kit/schema/decode";

// The types of sent messages are closed: a misspelled tag or member does not compile.
export const greeting: SessionNotification = {
  sessionId: "s-1",
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } },
};

// The types of received messages are open: a newer agent may send variants that this version of the schema does not
// know.
export function show(update: IncomingSessionUpdate): string {
  if (!isKnownSessionUpdate(update)) return `(something new: ${update.sessionUpdate})`;
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return update.content.type === "text" ? update.content.text : `[${update.content.type}]`;
    case "plan":
      return update.entries.map((entry) => `- ${entry.content}`).join("\n");
    default:
      return `[${update.sessionUpdate}]`;
  }
}

// Decoders check received messages: they repair faults where the schema allows it, and throw an error for other faults.
export function receive(params: string): string {
  return show(decodeSessionNotification(JSON.parse(params)).update);
}

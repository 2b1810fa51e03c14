// The messages of a session, as they are on the wire.
const sessionId = "sess_01HZX5J2Q8";

function update(fields: object): string {
  return JSON.stringify({ sessionId, update: fields });
}

const oldText = Array.from({ length: 40 }, (_, i) => `export const value${i} = compute(${i}, "before");`).join("\n");
const newText = oldText.replaceAll("before", "after");

/** Valid params of `session/update`, by name. */
export const valid: Readonly<Record<string, string>> = {
  chunk: update({
    sessionUpdate: "agent_message_chunk",
    messageId: "msg_01",
    content: { type: "text", text: "The quick brown fox jumps over the lazy dog." },
  }),
  "tool_call 5 KB": update({
    sessionUpdate: "tool_call",
    toolCallId: "call_01",
    title: "Edit values.ts",
    kind: "edit",
    status: "in_progress",
    locations: [{ path: "/work/src/values.ts", line: 12 }],
    content: [{ type: "diff", path: "/work/src/values.ts", oldText, newText }],
    rawInput: { path: "/work/src/values.ts", replaceAll: true },
  }),
  "tool_call_update 255 B": update({
    sessionUpdate: "tool_call_update",
    toolCallId: "call_01",
    status: "completed",
    content: [{ type: "content", content: { type: "text", text: "Applied 40 replacements in /work/src/values.ts" } }],
    rawOutput: { replaced: 40, ok: true },
  }),
  "plan of 20": update({
    sessionUpdate: "plan",
    entries: Array.from({ length: 20 }, (_, i) => ({
      content: `Step ${i + 1}: read, change and verify module ${i + 1}`,
      priority: ["high", "medium", "low"][i % 3],
      status: ["completed", "in_progress", "pending"][i % 3],
    })),
  }),
};

/** A text block without its text. */
export const rejected: string = update({ sessionUpdate: "agent_message_chunk", content: { type: "text" } });

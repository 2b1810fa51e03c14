import type { ContentBlock, PermissionOption, PlanEntry, SessionUpdate, ToolCall } from "@acp-kit/types";

// Frequently used protocol values, so that a test shows only what it is about.

/** A text block: of a prompt, of a message. */
export function textBlock(words: string): ContentBlock {
  return { type: "text", text: words };
}

/** A chunk of the agent's message. */
export function messageChunk(words: string): SessionUpdate {
  return { sessionUpdate: "agent_message_chunk", content: textBlock(words) };
}

/** A chunk of the agent's thoughts. */
export function thoughtChunk(words: string): SessionUpdate {
  return { sessionUpdate: "agent_thought_chunk", content: textBlock(words) };
}

/** A plan: a string becomes a pending entry; an entry without a priority gets medium. */
export function plan(...entries: (string | (Omit<PlanEntry, "priority"> & Partial<PlanEntry>))[]): SessionUpdate {
  return {
    sessionUpdate: "plan",
    entries: entries.map((entry) => ({
      priority: "medium" as const,
      ...(typeof entry === "string" ? { content: entry, status: "pending" as const } : entry),
    })),
  };
}

/** A tool call that starts. */
export function toolCall(call: ToolCall): SessionUpdate {
  return { sessionUpdate: "tool_call", ...call };
}

/** Two options: `allow` allows once, `reject` rejects once. */
export const allowOrReject: readonly PermissionOption[] = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/** All capabilities that a client can advertise. */
export const allClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  elicitation: { form: {}, url: {} },
} as const;

/** All capabilities that an agent can advertise. */
export const allAgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
  auth: { logout: {} },
} as const;

import type { ContentBlock, PermissionOption, PlanEntry, SessionUpdate, ToolCall } from "@acp-kit/types";

// Values that many tests need, so that a test contains only the details that matter to it.

/** Creates a text block of a prompt or a message. */
export function textBlock(words: string): ContentBlock {
  return { type: "text", text: words };
}

/** Creates an update with a chunk of an agent's message. */
export function messageChunk(words: string): SessionUpdate {
  return { sessionUpdate: "agent_message_chunk", content: textBlock(words) };
}

/** Creates an update with a chunk of an agent's thoughts. */
export function thoughtChunk(words: string): SessionUpdate {
  return { sessionUpdate: "agent_thought_chunk", content: textBlock(words) };
}

/**
 * Creates a plan update: a string becomes a pending entry, and an entry without a priority gets the priority medium.
 */
export function plan(...entries: (string | (Omit<PlanEntry, "priority"> & Partial<PlanEntry>))[]): SessionUpdate {
  return {
    sessionUpdate: "plan",
    entries: entries.map((entry) => ({
      priority: "medium" as const,
      ...(typeof entry === "string" ? { content: entry, status: "pending" as const } : entry),
    })),
  };
}

/** Creates an update that starts a tool call. */
export function toolCall(call: ToolCall): SessionUpdate {
  return { sessionUpdate: "tool_call", ...call };
}

/** The two options of a simple permission request: `allow` (`allow_once`) and `reject` (`reject_once`). */
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

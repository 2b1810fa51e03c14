// The jobs of the agents under test, so that all agents do the same work. The text of the prompt contains the job as
// JSON.

const text40 = "The quick brown fox jumps over the dog. ";

/** The updates that agents send, by name. */
export const updates = {
  chunk: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: text40 } },
  tool_call_update: {
    sessionUpdate: "tool_call_update",
    toolCallId: "call_0123456789abcdef",
    status: "in_progress",
    content: [{ type: "content", content: { type: "text", text: `${text40}${text40.slice(0, 30)}` } }],
    locations: [{ path: "/work/src/index.ts", line: 42 }],
  },
  tool_call: {
    sessionUpdate: "tool_call",
    toolCallId: "call_0123456789abcdef",
    title: "Edit src/index.ts",
    kind: "edit",
    status: "pending",
    locations: [{ path: "/work/src/index.ts", line: 42 }],
    content: [
      { type: "diff", path: "/work/src/index.ts", oldText: text40.repeat(50), newText: text40.repeat(52) },
      { type: "content", content: { type: "text", text: text40.repeat(10) } },
    ],
    rawInput: { path: "/work/src/index.ts", dryRun: false },
  },
  plan: {
    sessionUpdate: "plan",
    entries: Array.from({ length: 20 }, (_, index) => ({
      content: `Step ${index}: ${text40}`,
      priority: "medium",
      status: index === 0 ? "in_progress" : "pending",
    })),
  },
};

/** Returns the update of a job: the update with a name, or a message chunk of `bytes` characters. */
export function updateOf({ update, bytes }) {
  if (bytes === undefined) return updates[update];
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(bytes) } };
}

export const jobOf = (prompt) => JSON.parse(prompt[0].text);

export const promptOf = (job) => [{ type: "text", text: JSON.stringify(job) }];

/** Returns the peak memory of this process, in bytes. */
export const peak = () => process.resourceUsage().maxRSS * 1024;

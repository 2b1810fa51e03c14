import type { Requirement } from "../requirement.js";

/** The rules for the `messageId` of message chunks. */
export const messageIdsRequirements: readonly Requirement[] = [
  {
    id: "MSG-01",
    level: "MAY",
    binds: "agent",
    observability: "wire",
    sources: ["docs", "schema"],
    rule: "`user_message_chunk`, `agent_message_chunk` and `agent_thought_chunk` may have a `messageId` (string).",
  },
  {
    id: "MSG-02",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs", "schema"],
    rule: "Chunks with the same `messageId` belong to the same message. A different id means that a new message has started.",
  },
  {
    id: "MSG-03",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["rfd"],
    rule: "A `messageId` that is `null` equals an omitted one: the message has no id.",
  },
  {
    id: "MSG-04",
    level: "MUST",
    binds: "agent",
    observability: "wire",
    sources: ["docs", "rfd"],
    rule: "Only the agent creates message ids, and each is unique within the session. A prompt of version 1 has no member for an id.",
  },
  {
    id: "MSG-05",
    level: "MUST NOT",
    binds: "client",
    observability: "wire",
    sources: ["rfd"],
    rule: "The client compares ids as opaque strings, and never interprets them.",
  },
  {
    id: "MSG-06",
    level: "SHOULD",
    binds: "agent",
    observability: "wire",
    sources: ["rfd"],
    rule: "If the agent supports ids, it also sends them with the user's messages, new and replayed.",
  },
  {
    id: "MSG-07",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["derived"],
    rule: "Without ids, the client can only guess the boundaries of messages, for example from a change of the variant or a tool call between chunks.",
  },
];

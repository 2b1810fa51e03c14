import type { Requirement } from "../requirement.js";

/** `messageId` on chunks. */
export const messageIdsRequirements: readonly Requirement[] = [
  {
    id: "MSG-01",
    level: "MAY",
    binds: "agent",
    observability: "wire",
    sources: ["docs", "schema"],
    rule: "`user_message_chunk`, `agent_message_chunk`, `agent_thought_chunk` may carry `messageId` (string).",
  },
  {
    id: "MSG-02",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs", "schema"],
    rule: "Same id = same message; a changed id = a new message started.",
  },
  {
    id: "MSG-03",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["rfd"],
    rule: "`null` and omitted are equal: no id given.",
  },
  {
    id: "MSG-04",
    level: "MUST",
    binds: "agent",
    observability: "wire",
    sources: ["docs", "rfd"],
    rule: "Message ids are unique per message within the session and are created by the agent only; a v1 prompt has no id field.",
  },
  {
    id: "MSG-05",
    level: "MUST NOT",
    binds: "client",
    observability: "wire",
    sources: ["rfd"],
    rule: "Clients compare ids as opaque strings and never interpret them.",
  },
  {
    id: "MSG-06",
    level: "SHOULD",
    binds: "agent",
    observability: "wire",
    sources: ["rfd"],
    rule: "If ids are supported, include them on emitted or replayed user messages too.",
  },
  {
    id: "MSG-07",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["derived"],
    rule: "Without ids, boundaries are heuristic (variant change, tool call in between).",
  },
];

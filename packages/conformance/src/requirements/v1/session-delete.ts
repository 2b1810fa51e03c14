import type { Requirement } from "../requirement.js";

/** The rules for `session/delete`. */
export const sessionDeleteRequirements: readonly Requirement[] = [
  {
    id: "DEL-01",
    level: "MUST NOT",
    binds: "client",
    observability: "wire",
    sources: ["docs"],
    brokenBy: ["CAP-03"],
    rule: "The client does not call `session/delete` without `sessionCapabilities.delete`.",
  },
  {
    id: "DEL-02",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "session/delete",
    officialIds: ["ACP-DELETE-001"],
    rule: "The agent responds to a successful `session/delete` with `{}`.",
  },
  {
    id: "DEL-03",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "session/delete",
    rule: "After `session/delete`, the session no longer appears in `session/list`.",
  },
  {
    id: "DEL-04",
    level: "SHOULD",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "session/delete",
    officialIds: ["ACP-DELETE-002"],
    rule: "If the session is already deleted or never existed, `session/delete` succeeds silently.",
  },
  {
    id: "DEL-05",
    level: "MAY",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "session/delete",
    rule: "The agent decides whether it deletes the data or only hides the session. It also decides about `session/load` of a deleted session, and about the deletion of an active session.",
  },
];

import type { Requirement } from "../requirement.js";

/** `session/delete`. */
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
    rule: "Success returns `{}`.",
  },
  {
    id: "DEL-03",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "session/delete",
    rule: "A deleted session no longer appears in `session/list`.",
  },
  {
    id: "DEL-04",
    level: "SHOULD",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "session/delete",
    officialIds: ["ACP-DELETE-002"],
    rule: "Deleting an already deleted or never existing session succeeds silently.",
  },
  {
    id: "DEL-05",
    level: "MAY",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    feature: "session/delete",
    rule: "Implementation-defined: soft vs hard delete, `session/load` of a deleted session, deleting an active session.",
  },
];

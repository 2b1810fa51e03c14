import type { Requirement } from "../requirement.js";

/** `session_info_update`: live metadata of a session. */
export const sessionInfoRequirements: readonly Requirement[] = [
  {
    id: "INFO-01",
    level: "MAY",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    rule: "May be sent at any time for a session; typically after the first exchange to set a title. Not tied to the `list` capability.",
  },
  {
    id: "INFO-02",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs", "schema"],
    rule: "Partial update: omitted fields stay unchanged, `null` clears, a value replaces (`title`, `updatedAt`; `_meta`).",
  },
  {
    id: "INFO-03",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    rule: "The update object never contains `sessionId`, `cwd` or `additionalDirectories` (`cwd` is immutable; the id is in `params`).",
  },
  {
    id: "INFO-04",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs"],
    rule: "`updatedAt` is ISO 8601.",
  },
  {
    id: "INFO-05",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["rfd"],
    rule: "Updates are applied in receive order.",
  },
  {
    id: "INFO-06",
    level: "SHOULD",
    binds: "client",
    observability: "review",
    sources: ["rfd"],
    rule: "Overlong titles are handled gracefully (agent-side recommendation: at most about 500 characters).",
  },
];

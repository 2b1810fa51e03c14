import type { Requirement } from "../requirement.js";

/** The rules for `session_info_update`, which changes the metadata of a session. */
export const sessionInfoRequirements: readonly Requirement[] = [
  {
    id: "INFO-01",
    level: "MAY",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    rule: "The agent may send `session_info_update` at any time for a session, typically after the first exchange to set a title. The update does not depend on the capability `list`.",
  },
  {
    id: "INFO-02",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs", "schema"],
    rule: "`session_info_update` is a partial update of `title`, `updatedAt` and `_meta`: an omitted member stays unchanged, `null` clears it, and a value replaces it.",
  },
  {
    id: "INFO-03",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    rule: "The update never contains `sessionId`, `cwd` or `additionalDirectories`. `cwd` cannot change, and the id is in `params`.",
  },
  {
    id: "INFO-04",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs"],
    rule: "`updatedAt` is a date and time in ISO 8601.",
  },
  {
    id: "INFO-05",
    level: "FACT",
    binds: "client",
    observability: "wire",
    sources: ["rfd"],
    rule: "The client applies updates in the order in which it receives them.",
  },
  {
    id: "INFO-06",
    level: "SHOULD",
    binds: "client",
    observability: "review",
    sources: ["rfd"],
    rule: "The client handles long titles gracefully. For agents, the RFD recommends at most about 500 characters.",
  },
];

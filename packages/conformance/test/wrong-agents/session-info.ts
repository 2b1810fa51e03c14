import { exitsAt, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const sessionInfoWrongAgents: readonly (WrongAgent | Mutant)[] = [
  { fails: "tour/title", mutation: exitsAt("/title") },
  { fails: "watch/schema/session-info", mutation: update("session_info_update", (info) => (info.title = 5)) },
  {
    fails: "watch/session-info-members",
    mutation: update("session_info_update", (info) => (info.updatedAt = "yesterday")),
  },
];

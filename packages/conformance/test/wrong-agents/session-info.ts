import { exitsAt, failing, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const sessionInfoWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "tour/title": exitsAt("/title"),
    "watch/schema/session-info": update("session_info_update", (info) => (info.title = 5)),
    "watch/session-info-members": update("session_info_update", (info) => (info.updatedAt = "yesterday")),
  }),
];

import { exitsAt, failed, failing, type Mutant, responds, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const modesWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "modes/unknown": responds("session/set_mode", ({ params }) =>
      params.modeId.startsWith("conformance") ? { result: {} } : undefined,
    ),
    "modes/while-a-turn-runs": responds("session/set_mode", ({ params }, agent) =>
      agent.sessions.get(params.sessionId)?.stop ? failed : undefined,
    ),
    "tour/mode": exitsAt("/mode"),
  }),
  {
    fails: "modes/set",
    also: ["watch/schema/modes"],
    mutation: responds("session/set_mode", ({ params }) => (params.modeId === "code" ? { result: null } : undefined)),
  },
  {
    fails: "watch/schema/modes",
    mutation: update("current_mode_update", (mode) => ((mode.modeId = mode.currentModeId), delete mode.currentModeId)),
    also: ["watch/no-custom-members"],
  },
];

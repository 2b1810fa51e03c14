import { exitsAt, failed, type Mutant, responds, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const modesWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    fails: "modes/set",
    also: ["watch/schema/modes"],
    mutation: responds("session/set_mode", ({ params }) => (params.modeId === "code" ? { result: null } : undefined)),
  },
  {
    fails: "modes/unknown",
    mutation: responds("session/set_mode", ({ params }) =>
      params.modeId.startsWith("conformance") ? { result: {} } : undefined,
    ),
  },
  {
    fails: "modes/while-a-turn-runs",
    mutation: responds("session/set_mode", ({ params }, agent) =>
      agent.sessions.get(params.sessionId)?.stop ? failed : undefined,
    ),
  },
  { fails: "tour/mode", mutation: exitsAt("/mode") },
  {
    fails: "watch/schema/modes",
    mutation: update("current_mode_update", (mode) => ((mode.modeId = mode.currentModeId), delete mode.currentModeId)),
    also: ["watch/no-custom-members"],
  },
];

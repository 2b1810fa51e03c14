import {
  adds,
  changes,
  chunk,
  exitsAt,
  failing,
  isUpdate,
  type Mutant,
  said,
  update,
  type WrongAgent,
} from "../mutations.js";

/** Agents that break the rules of this area. */
export const sessionUpdateWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "tour/thought": exitsAt("/think"),
    "watch/updates-of-known-sessions": adds(isUpdate("plan"), () => [
      said({ params: { sessionId: "unknown-session" } }, chunk),
    ]),
  }),
  {
    rule: "UPD-01",
    does: "sends session/update as a request",
    shows: ["prompt/text", "watch/schema/updates"],
    mutation: changes(isUpdate("agent_message_chunk"), (message) => (message.id = 70_001)),
  },
  { fails: "watch/schema/updates", mutation: update("plan", (plan) => (plan.sessionUpdate = "scheme")), also: [] },
];

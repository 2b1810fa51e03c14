import { adds, changes, chunk, exitsAt, isUpdate, type Mutant, said, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const sessionUpdateWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    rule: "UPD-01",
    does: "sends session/update as a request",
    shows: ["prompt/text", "watch/schema/updates"],
    mutation: changes(isUpdate("agent_message_chunk"), (message) => (message.id = 70_001)),
  },
  { fails: "tour/thought", mutation: exitsAt("/think") },
  { fails: "watch/schema/updates", mutation: update("plan", (plan) => (plan.sessionUpdate = "scheme")), also: [] },
  {
    fails: "watch/updates-of-known-sessions",
    mutation: adds(isUpdate("plan"), () => [said({ params: { sessionId: "unknown-session" } }, chunk)]),
  },
];

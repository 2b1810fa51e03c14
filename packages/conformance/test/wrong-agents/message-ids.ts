import { type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const messageIdsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    fails: "watch/message-ids",
    areas: ["prompt/two-turns"],
    mutation: update("agent_message_chunk", (each) => (each.messageId = "always")),
  },
];

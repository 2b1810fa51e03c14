import { exitsAt, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const contentBlocksWrongAgents: readonly (WrongAgent | Mutant)[] = [
  { fails: "tour/content", mutation: exitsAt("/content") },
  {
    fails: "watch/schema/content-blocks",
    mutation: update("agent_thought_chunk", (chunk) => (chunk.content = { type: "text" })),
  },
];

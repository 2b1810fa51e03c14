import { exitsAt, failing, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const contentBlocksWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "tour/content": exitsAt("/content"),
    "watch/schema/content-blocks": update("agent_thought_chunk", (chunk) => (chunk.content = { type: "text" })),
  }),
];

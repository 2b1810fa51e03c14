import { exitsAt, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const usageWrongAgents: readonly (WrongAgent | Mutant)[] = [
  { fails: "tour/usage", mutation: exitsAt("/usage") },
  { fails: "watch/schema/usage", mutation: update("usage_update", (usage) => (usage.size = null)) },
  { fails: "watch/cost-grows", mutation: update("usage_update", (usage) => (usage.cost.amount = 1 / usage.used)) },
];

import { exitsAt, failing, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const usageWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "tour/usage": exitsAt("/usage"),
    "watch/schema/usage": update("usage_update", (usage) => (usage.size = null)),
    "watch/cost-grows": update("usage_update", (usage) => (usage.cost.amount = 1 / usage.used)),
  }),
];

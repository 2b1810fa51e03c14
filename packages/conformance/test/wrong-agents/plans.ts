import { exitsAt, failing, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const plansWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "tour/plan": exitsAt("/plan"),
    "watch/schema/plans": update("plan", (plan) => delete plan.entries[0].priority),
    "watch/whole-plans": update("plan", (plan) => plan.entries[0].status === "in_progress" && plan.entries.pop()),
  }),
];

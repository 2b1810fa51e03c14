import { exitsAt, type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const plansWrongAgents: readonly (WrongAgent | Mutant)[] = [
  { fails: "tour/plan", mutation: exitsAt("/plan") },
  { fails: "watch/schema/plans", mutation: update("plan", (plan) => delete plan.entries[0].priority) },
  {
    fails: "watch/whole-plans",
    mutation: update("plan", (plan) => plan.entries[0].status === "in_progress" && plan.entries.pop()),
  },
];

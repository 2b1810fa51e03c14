import { type Mutant, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const extensibilityWrongAgents: readonly (WrongAgent | Mutant)[] = [
  { fails: "watch/no-custom-members", mutation: update("plan", (plan) => (plan.vendor = 1)) },
];

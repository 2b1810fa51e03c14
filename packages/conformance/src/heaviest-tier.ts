import { requirementOf } from "./requirements/find-requirement.js";
import { type Tier, tierOf } from "./requirements/tier.js";

const byWeight: readonly Tier[] = ["mandatory", "capability", "advisory", "informational"];

/** The heaviest tier among rules; `informational` when there are none. */
export function heaviestTier(ids: Iterable<string>): Tier {
  const tiers = new Set([...ids].map((id) => tierOf(requirementOf(id))));
  return byWeight.find((tier) => tiers.has(tier)) ?? "informational";
}

/** Whether breaking a rule of this tier means that a peer isn't conformant. */
export function weighs(tier: Tier): boolean {
  return tier === "mandatory" || tier === "capability";
}

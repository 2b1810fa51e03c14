import { requirementOf } from "./requirements/find-requirement.js";
import { type Tier, tierOf, tiersByWeight } from "./requirements/tier.js";

/** The heaviest tier among rules; `informational` when there are none. */
export function heaviestTier(ids: Iterable<string>): Tier {
  const tiers = new Set([...ids].map((id) => tierOf(requirementOf(id))));
  return tiersByWeight.find((tier) => tiers.has(tier)) ?? "informational";
}

/** Whether breaking a rule of this tier means that a peer is not conformant. */
export function weighs(tier: Tier): boolean {
  return tier === "mandatory" || tier === "capability";
}

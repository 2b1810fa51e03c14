import { requirementOf } from "./requirements/find-requirement.js";
import { type Tier, tierOf, tiersByWeight } from "./requirements/tier.js";
import type { Finding } from "./verdict.js";

/** The heaviest tier among rules; `informational` when there are none. */
export function heaviestTier(ids: Iterable<string>): Tier {
  const tiers = new Set([...ids].map((id) => tierOf(requirementOf(id))));
  return tiersByWeight.find((tier) => tiers.has(tier)) ?? "informational";
}

/** The heaviest tier among findings: that of the rule that each cites, or advice where the finding says so. */
export function heaviestFinding(findings: readonly Finding[]): Tier {
  const tiers = new Set(findings.map(tierOfFinding));
  return tiersByWeight.find((tier) => tiers.has(tier)) ?? "informational";
}

/** The tier of one finding. */
export function tierOfFinding({ requirement, advice }: Finding): Tier {
  const tier = tierOf(requirementOf(requirement));
  return advice && weighs(tier) ? "advisory" : tier;
}

/** Whether breaking a rule of this tier means that a peer is not conformant. */
export function weighs(tier: Tier): boolean {
  return tier === "mandatory" || tier === "capability";
}

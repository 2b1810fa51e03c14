import { requirementOf } from "./requirements/find-requirement.js";
import type { Tier } from "./requirements/requirement.js";
import { tierOf, tiersByWeight } from "./requirements/tier.js";
import type { Finding } from "./verdict.js";

/** Returns the heaviest tier among rules, or `informational` if there are none. */
export function heaviestTier(ids: Iterable<string>): Tier {
  const tiers = new Set([...ids].map((id) => tierOf(requirementOf(id))));
  return tiersByWeight.find((tier) => tiers.has(tier)) ?? "informational";
}

/** Returns the heaviest tier among findings: that of the cited rule, or `advisory` if marked as advice. */
export function heaviestFinding(findings: readonly Finding[]): Tier {
  const tiers = new Set(findings.map(tierOfFinding));
  return tiersByWeight.find((tier) => tiers.has(tier)) ?? "informational";
}

/** Returns the tier of one finding. */
export function tierOfFinding({ requirement, advice }: Finding): Tier {
  const tier = tierOf(requirementOf(requirement));
  return advice && weighs(tier) ? "advisory" : tier;
}

/** Returns whether breaking a rule of this tier makes a peer non-conformant. */
export function weighs(tier: Tier): boolean {
  return tier === "mandatory" || tier === "capability";
}

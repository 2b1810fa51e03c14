import type { Requirement, RequirementSource, Tier } from "./requirement.js";

/** The tiers, heaviest first. */
export const tiersByWeight: readonly Tier[] = ["mandatory", "capability", "advisory", "informational"];

/**
 * Returns the tier of a rule:
 *
 * - A rule with the level `MUST` or `MUST NOT` is `mandatory`, or `capability` if it belongs to an optional part of the
 *   protocol.
 * - A rule with the level `SHOULD`, `SHOULD NOT` or `FACT` is `advisory`.
 * - A rule whose only sources are RFDs, version 2 (it is in Preview), or pages that are newer than the schema is never
 *   heavier than `advisory`. The RFD of the remote transports is an exception, because it is their specification.
 * - A rule with the level `MAY` is `informational`, and so is a rule whose only source is `derived`: this package has
 *   inferred it.
 *
 * If the protocol's own test kit has the same rule, the tier is never heavier than in that kit.
 * {@link Requirement.tier} takes precedence.
 */
export function tierOf(requirement: Requirement): Tier {
  return requirement.tier?.is ?? lighter(tierOfLevel(requirement), officialTier(requirement));
}

/**
 * Returns whether the rules of a source are only recommendations, independent of their level: such a source may still
 * change, or is newer than the specification that existing peers implement.
 */
function isUnsettled(source: RequirementSource): boolean {
  return source === "rfd" || source === "later page" || source === "preview";
}

function tierOfLevel({ level, sources, feature }: Requirement): Tier {
  if (level === "MAY") return "informational";
  if (sources.every((source) => source === "derived")) return "informational";
  const isFirm = level === "MUST" || level === "MUST NOT";
  if (!isFirm || sources.every(isUnsettled)) return "advisory";
  return feature === undefined ? "mandatory" : "capability";
}

/** Returns the heaviest tier among the official ids of a rule, or `mandatory`, so that its level alone decides. */
function officialTier({ official = {} }: Requirement): Tier {
  const tiers = new Set(Object.values(official));
  return tiersByWeight.find((tier) => tiers.has(tier)) ?? "mandatory";
}

function lighter(one: Tier, other: Tier): Tier {
  return tiersByWeight.indexOf(one) > tiersByWeight.indexOf(other) ? one : other;
}

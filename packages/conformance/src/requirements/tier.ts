import { officialTiers } from "./official-tiers.js";
import type { Requirement, RequirementSource } from "./requirement.js";

/**
 * The consequence of breaking a rule.
 *
 * - `mandatory`: the peer is not conformant;
 * - `capability`: the peer is not conformant, if it uses that optional part of the protocol;
 * - `advisory`: reported, without effect on the verdict;
 * - `informational`: reported as advice, without effect on the verdict.
 */
export type Tier = "mandatory" | "capability" | "advisory" | "informational";

/** The tiers, heaviest first. */
export const tiersByWeight: readonly Tier[] = ["mandatory", "capability", "advisory", "informational"];

/** Rules whose tier is an exception: their level (MUST, SHOULD, …) and the official test kit imply another tier. Each exception has a reason. */
export const tierExceptions: Readonly<Record<string, { readonly tier: Tier; readonly because: string }>> = {
  "PERM-07": {
    tier: "mandatory",
    because:
      "A tool that runs although the user rejected it endangers the user, and makes the permission request pointless.",
  },
  "INIT-21": { tier: "informational", because: "Version 1 leaves the effect of a second initialize open." },
  "PROMPT-17": { tier: "informational", because: "Version 1 leaves the effect of an empty prompt open." },
  "ELICIT-10": {
    tier: "informational",
    because: "The RFD and the schema contradict each other: a client that follows either is right.",
  },
  "ELICIT-19": {
    tier: "advisory",
    because: "The page names the error code without a MUST. The MUST is in the RFD alone.",
  },
  "TRANS-07": {
    tier: "advisory",
    because:
      "A client may ignore stderr; this package infers that it has to read it, because a full pipe blocks the agent.",
  },
};

/**
 * Returns the tier of a rule:
 *
 * - A rule with the level `MUST` or `MUST NOT` is `mandatory`, or `capability` if it belongs to an optional part of the protocol.
 * - A rule with the level `SHOULD`, `SHOULD NOT` or `FACT` is `advisory`.
 * - A rule whose only sources are RFDs, the draft of version 2, or pages that are newer than the schema is never heavier than `advisory`. The RFD of
 *   the remote transports is an exception, because it is their specification.
 * - A rule with the level `MAY` is `informational`, and so is a rule whose only source is `derived`: this package has inferred it.
 *
 * If the protocol's own test kit has the same rule, the tier is never heavier than in that kit. {@link tierExceptions} take precedence.
 */
export function tierOf(requirement: Requirement): Tier {
  return tierExceptions[requirement.id]?.tier ?? lighter(tierOfLevel(requirement), officialTier(requirement));
}

/**
 * Returns whether the rules of a source are only recommendations, independent of their level: such a source may still change, or is newer
 * than the specification that existing peers implement.
 */
function isUnsettled(source: RequirementSource): boolean {
  return source === "rfd" || source === "later page" || source === "draft";
}

function tierOfLevel({ level, sources, feature }: Requirement): Tier {
  if (level === "MAY") return "informational";
  if (sources.every((source) => source === "derived")) return "informational";
  const isFirm = level === "MUST" || level === "MUST NOT";
  if (!isFirm || sources.every(isUnsettled)) return "advisory";
  return feature === undefined ? "mandatory" : "capability";
}

/** Returns the heaviest tier among the official ids of a rule, or `mandatory` if it has none, so that its level alone decides. */
function officialTier({ officialIds = [] }: Requirement): Tier {
  const tiers = new Set(officialIds.map((id) => officialTiers[id]));
  return tiersByWeight.find((tier) => tiers.has(tier)) ?? "mandatory";
}

function lighter(one: Tier, other: Tier): Tier {
  return tiersByWeight.indexOf(one) > tiersByWeight.indexOf(other) ? one : other;
}

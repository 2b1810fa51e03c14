import { officialTiers } from "./official-tiers.js";
import type { Requirement } from "./requirement.js";

/**
 * What breaking a rule means.
 *
 * - `mandatory`: the peer is not conformant;
 * - `capability`: the peer is not conformant, if it uses that optional part of the protocol;
 * - `advisory`: reported, without weight;
 * - `informational`: the observation is noted.
 */
export type Tier = "mandatory" | "capability" | "advisory" | "informational";

/** The tiers, heaviest first. */
export const tiersByWeight: readonly Tier[] = ["mandatory", "capability", "advisory", "informational"];

/** Rules whose tier is not the one that their level and their official ids give, with the reason. */
export const tierExceptions: Readonly<Record<string, { readonly tier: Tier; readonly because: string }>> = {
  "PERM-07": {
    tier: "mandatory",
    because: "A tool that runs although the user rejected it endangers the user: the whole purpose of the request.",
  },
  "INIT-21": { tier: "informational", because: "What a second initialize does is open in version 1." },
  "PROMPT-17": { tier: "informational", because: "What an empty prompt does is open in version 1." },
  "ELICIT-10": {
    tier: "informational",
    because: "The RFD and the schema contradict each other: a client that follows either is right.",
  },
  "TRANS-07": {
    tier: "advisory",
    because: "Ignoring stderr is allowed; that it must be drained is our inference.",
  },
};

/**
 * Returns the weight of a rule. Only `MUST` and `MUST NOT` are mandatory, or a capability's where the rule belongs to an optional
 * part. `SHOULD`, and facts that the pages or the schema merely show, are advisory; so is a rule of an RFD, or of a page newer than
 * the schema, whatever its word. `MAY`, and an inference of ours, is informational. A rule with ids of the protocol's own test kit
 * never weighs more than the heaviest of them. {@link tierExceptions} go first.
 */
export function tierOf(requirement: Requirement): Tier {
  return tierExceptions[requirement.id]?.tier ?? lighter(tierOfLevel(requirement), officialTier(requirement));
}

function tierOfLevel({ level, sources, feature }: Requirement): Tier {
  if (level === "MAY") return "informational";
  if (sources.every((source) => source === "derived")) return "informational";
  const isFirm = level === "MUST" || level === "MUST NOT";
  if (!isFirm || sources.every((source) => source === "rfd" || source === "later page")) return "advisory";
  return feature === undefined ? "mandatory" : "capability";
}

/** The heaviest tier among the official ids of a rule; without any, nothing is lighter than what the level says. */
function officialTier({ officialIds = [] }: Requirement): Tier {
  const tiers = new Set(officialIds.map((id) => officialTiers[id]));
  return tiersByWeight.find((tier) => tiers.has(tier)) ?? "mandatory";
}

function lighter(one: Tier, other: Tier): Tier {
  return tiersByWeight.indexOf(one) > tiersByWeight.indexOf(other) ? one : other;
}

import { type ConformanceReport, requirementOf, requirements, tierOf, type TestedRole } from "@acp-kit/conformance";
import type { Mutant } from "./wire/mutation.js";

/** How a run ended with one mutant. */
export type Fate =
  /** A finding names the rule, with the weight of its tier. */
  | { readonly kind: "named" }
  /** Other rules are named, and the peer is not conformant. */
  | { readonly kind: "killed by another"; readonly by: readonly string[] }
  /** The peer is not accused of anything that weighs. */
  | { readonly kind: "survived"; readonly advice: readonly string[] };

const weighs = (id: string): boolean => ["mandatory", "capability"].includes(tierOf(requirementOf(id)));

/** Returns the fate of a mutant that a report is about. A rule that is advice is named by advice. */
export function fateOf({ rule }: Pick<Mutant, "rule">, report: ConformanceReport): Fate {
  const broken = report.requirements.filter(({ status }) => status === "failed").map(({ id }) => id);
  const isAccused = report.verdict === "not conformant";
  if (broken.includes(rule) && (isAccused || !weighs(rule))) return { kind: "named" };
  return isAccused ? { kind: "killed by another", by: broken } : { kind: "survived", advice: broken };
}

/** Returns the ids of each MUST and MUST NOT that binds a role and is visible from outside. */
export function rulesOf(role: TestedRole): readonly string[] {
  return requirements
    .filter(
      ({ id, level, binds, observability }) =>
        (binds === "both" || binds === role) &&
        observability !== "review" &&
        (level === "MUST" || level === "MUST NOT" || weighs(id)),
    )
    .map(({ id }) => id);
}

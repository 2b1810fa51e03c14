import { type ConformanceReport, requirementOf, requirements, type TestedRole, tierOf } from "@acp-kit/conformance";
import type { Mutant } from "./wire/mutation.js";

/** How a run ended with a mutant that breaks a rule, the best first. */
export type Fate =
  /** The report says that the rule is broken, with the weight of its tier: a finding cites it, or one that says the same (`brokenBy`). */
  | "named"
  /** Other rules are named, with the weight of this one. */
  | "named as another"
  /** Nothing is named that weighs as much as this rule. */
  | "survived";

const fates: readonly Fate[] = ["named", "named as another", "survived"];

const weighs = (id: string): boolean => ["mandatory", "capability"].includes(tierOf(requirementOf(id)));

/** Returns the fate of a mutant in a report on it, as a mutant that breaks this rule. */
export function fateOf(rule: string, report: ConformanceReport): Fate {
  const broken = report.requirements.filter(({ status }) => status === "failed").map(({ id }) => id);
  const isEnough = weighs(rule) ? report.verdict === "not conformant" : broken.length > 0;
  if (!isEnough) return "survived";
  return broken.includes(rule) ? "named" : "named as another";
}

/** Returns the ids of each MUST and MUST NOT, and of each rule that weighs, that binds a role and is visible from outside. */
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

/** What is known about a rule that no mutant is named for: how its mutants end, and why that is right. */
export interface Known {
  readonly fate: Exclude<Fate, "named">;
  readonly because: string;
}

/** The fates of all mutants of a role, by rule. */
export class Score {
  readonly #fates = new Map<string, Fate>();

  /** Adds the fate of a mutant. A rule counts by the best of its mutants. */
  add({ rule, also = [] }: Mutant, report: ConformanceReport): void {
    for (const id of [rule, ...also]) {
      const best = Math.min(fates.indexOf(fateOf(id, report)), fates.indexOf(this.#fates.get(id) ?? "survived"));
      this.#fates.set(id, fates[best] ?? "survived");
    }
  }

  fateOf(rule: string): Fate | undefined {
    return this.#fates.get(rule);
  }

  /** Returns how many rules have which fate. */
  counts(rules: readonly string[]): Readonly<Record<Fate | "no mutant", number>> {
    const count = (fate: Fate | undefined): number => rules.filter((id) => this.fateOf(id) === fate).length;
    return {
      named: count("named"),
      "named as another": count("named as another"),
      survived: count("survived"),
      "no mutant": count(undefined),
    };
  }
}

/**
 * Returns what contradicts the list of known fates: rules without a mutant and without a reason why they can't be tested, rules whose
 * mutants end otherwise than the list says, and entries of the list that nothing needs.
 */
export function contradictions(
  score: Score,
  rules: readonly string[],
  known: Readonly<Record<string, Known>>,
  notTestable: Readonly<Record<string, string>>,
): readonly string[] {
  const wrong = rules.flatMap((id) => {
    const fate = score.fateOf(id);
    if (fate === undefined) return notTestable[id] === undefined ? [`${id} has no mutant`] : [];
    const expected = known[id]?.fate ?? "named";
    return fate === expected ? [] : [`${id}: ${fate}, expected: ${expected}`];
  });
  const unneeded = Object.keys(known).filter((id) => score.fateOf(id) === undefined);
  return [...wrong, ...unneeded.map((id) => `${id} is listed, and has no mutant`)];
}

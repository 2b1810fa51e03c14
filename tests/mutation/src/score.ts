import { type ConformanceReport, requirementOf, requirements, type TestedRole, tierOf } from "@acp-kit/conformance";
import type { Mutant } from "./wire/mutation.js";

/** The result of a run with a mutant that breaks a rule, the best first. */
export type Fate =
  /**
   * The report lists the rule as broken, with the weight of its tier: a finding cites the rule, or a rule that repeats
   * it (`brokenBy`).
   */
  | "named"
  /** The report lists only other rules as broken, with the weight of this rule. */
  | "named as another"
  /** The report lists no broken rule with the weight of this rule. */
  | "survived";

const fates: readonly Fate[] = ["named", "named as another", "survived"];

const weighs = (id: string): boolean => ["mandatory", "capability"].includes(tierOf(requirementOf(id)));

/** Returns the fate of a mutant that breaks a rule, from the report on it. */
export function fateOf(rule: string, report: ConformanceReport): Fate {
  const broken = report.requirements.filter(({ status }) => status === "failed").map(({ id }) => id);
  const isEnough = weighs(rule) ? report.verdict === "not conformant" : broken.length > 0;
  if (!isEnough) return "survived";
  return broken.includes(rule) ? "named" : "named as another";
}

/** Returns the ids of each observable MUST and MUST NOT, and of each mandatory or capability rule, for a role. */
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

/** A rule whose mutants no finding names: the expected fate of its mutants, and the reason. */
export interface Known {
  readonly fate: Exclude<Fate, "named">;
  readonly because: string;
}

/** The fates of all mutants of a role, by rule. */
export class Score {
  readonly #fates = new Map<string, Fate>();

  /** Adds the fate of a mutant. The fate of a rule is the best fate of its mutants. */
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

/** Returns the reasons why rules for a role can't be tested from outside, by the id of the rule. */
export function untestedRules(role: TestedRole): Readonly<Record<string, string>> {
  return Object.fromEntries(
    requirements.flatMap(({ id, untested }) => (untested?.[role] ? [[id, untested[role]]] : [])),
  );
}

/**
 * Returns the contradictions to the list of known fates: rules without a mutant and without a reason why they can't be
 * tested, rules whose mutants have another fate than the list says, and unneeded entries of the list.
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

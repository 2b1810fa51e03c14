import type { Requirement, RequirementLevel, RequirementSource } from "./requirement.js";
import { type Specification, type SpecificationLine, specificationOf } from "./specification.js";
import { displayed } from "./untested.js";

/** The details of a rule. `feature: null` marks a rule for every peer in an area about a feature. */
type RuleDetails = Omit<Requirement, "id" | "level" | "binds" | "sources" | "observability" | "feature" | "spec"> & {
  readonly spec?: SpecificationLine | Specification;
  /** @defaultValue that of the area */
  readonly feature?: string | null;
};

/**
 * The id, the bound peers, the level and the sources of a rule: `PLAN-02 agent MUST docs, schema`. The end is how the
 * rule is checked, if not as the others of its area: `; harness`, or `; review` for what a person checks.
 */
type RuleHead = `${string}-${number} ${Requirement["binds"]} ${RequirementLevel} ${RequirementSource}${string}`;

/** The rules of an area: the text of each rule, or its details. */
type Rules = Readonly<Record<RuleHead, string | RuleDetails>>;

const heads = /^(\S+) (agent|client|both) (MUST NOT|MUST|SHOULD NOT|SHOULD|MAY|FACT) ([^;]+)(?:; (harness|review))?$/;

/** Creates the rules of an area from their heads and texts. */
export function defineRules(rules: Rules): readonly Requirement[] {
  return rulesOf({}, rules);
}

/** Creates the rules of an optional part of the protocol. Each rule belongs to it unless it says otherwise. */
export function defineFeatureRules(
  area: string | Pick<Requirement, "feature" | "observability">,
  rules: Rules,
): readonly Requirement[] {
  return rulesOf(typeof area === "string" ? { feature: area } : area, rules);
}

function rulesOf(area: Partial<Pick<Requirement, "feature" | "observability">>, rules: Rules): readonly Requirement[] {
  return Object.entries(rules).map(([head, details]) => {
    const [, id = "", binds, level, sources = "", observability = area.observability ?? "wire"] =
      heads.exec(head) ?? [];
    const { feature = area.feature, spec, ...rule } = typeof details === "string" ? { rule: details } : details;
    return {
      id,
      level: level as RequirementLevel,
      binds: binds as Requirement["binds"],
      sources: sources.split(", ") as RequirementSource[],
      observability: observability as Requirement["observability"],
      ...(typeof feature === "string" && { feature }),
      ...(observability === "review" && binds !== "agent" && { untested: { client: displayed } }),
      ...(spec && { spec: typeof spec === "string" ? specificationOf(spec) : spec }),
      ...rule,
    };
  });
}

import type { Requirement, RequirementLevel, RequirementSource } from "./requirement.js";
import { type Specification, type SpecificationLine, specificationOf } from "./specification.js";

/** The details of a rule. `feature: null` marks a rule for every peer in an area about a feature. */
type RuleDetails = Omit<Requirement, "id" | "level" | "binds" | "sources" | "observability" | "feature" | "spec"> & {
  readonly spec?: SpecificationLine | Specification;
  /** @defaultValue that of the area */
  readonly observability?: Requirement["observability"];
  /** @defaultValue that of the area */
  readonly feature?: string | null;
};

type Rule = Pick<Requirement, "level" | "binds" | "sources"> & RuleDetails;

type RuleOfLevel = (binds: Requirement["binds"], sources: readonly RequirementSource[], details: RuleDetails) => Rule;

const ofLevel =
  (level: RequirementLevel): RuleOfLevel =>
  (binds, sources, details) => ({ level, binds, sources, ...details });

export const must: RuleOfLevel = ofLevel("MUST");
export const mustNot: RuleOfLevel = ofLevel("MUST NOT");
export const should: RuleOfLevel = ofLevel("SHOULD");
export const shouldNot: RuleOfLevel = ofLevel("SHOULD NOT");
export const may: RuleOfLevel = ofLevel("MAY");
export const fact: RuleOfLevel = ofLevel("FACT");

/** Creates the rules of an area from their ids and texts. */
export function defineRules(rules: Readonly<Record<string, Rule>>): readonly Requirement[] {
  return rulesOf({}, rules);
}

/** Creates the rules of an optional part of the protocol. Each rule belongs to it unless it says otherwise. */
export function defineFeatureRules(
  area: string | Pick<Requirement, "feature" | "observability">,
  rules: Readonly<Record<string, Rule>>,
): readonly Requirement[] {
  return rulesOf(typeof area === "string" ? { feature: area } : area, rules);
}

function rulesOf(
  area: Partial<Pick<Requirement, "feature" | "observability">>,
  rules: Readonly<Record<string, Rule>>,
): readonly Requirement[] {
  return Object.entries(rules).map(([id, { feature = area.feature, spec, ...rule }]) => ({
    id,
    observability: area.observability ?? "wire",
    ...(typeof feature === "string" && { feature }),
    ...(spec && { spec: typeof spec === "string" ? specificationOf(spec) : spec }),
    ...rule,
  }));
}

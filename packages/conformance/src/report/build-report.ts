import { heaviestTier, weighs } from "../heaviest-tier.js";
import type { Requirement, Role } from "../requirements/requirement.js";
import { requirements } from "../requirements/requirements.js";
import { tierOf } from "../requirements/tier.js";
import type { ScenarioOutcome } from "../runner/run-options.js";
import type { ScenarioContext } from "../scenario.js";
import type { ConformanceReport, ReportSubject, RequirementReport, ScenarioReport } from "./report.js";

/** What a report is made of. */
export interface BuildReportOptions<Context extends ScenarioContext> {
  readonly role: Role;
  readonly subject: ReportSubject;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcomes: readonly ScenarioOutcome<Context>[];
  /** Ids of scenarios, watches or rules that are expected to fail. */
  readonly expectedFailures?: readonly string[];
  /** Why rules can't be tested from outside. */
  readonly notTestable?: Readonly<Record<string, string>>;
}

/** Sums up a run. */
export function buildReport<Context extends ScenarioContext>(options: BuildReportOptions<Context>): ConformanceReport {
  const { role, outcomes, expectedFailures = [], notTestable = {} } = options;
  const used = new Set<string>();
  const expects = (id: string): boolean => {
    const named = expectedFailures.includes(id);
    if (named) used.add(id);
    return named;
  };
  const scenarios = outcomes.map((outcome) => scenarioReport(outcome, expects));
  const rules = requirements
    .filter(({ binds }) => binds === role || binds === "both")
    .map((requirement) => requirementReport(requirement, scenarios, notTestable));
  const stale = expectedFailures.filter((id) => !used.has(id));
  const weighty = scenarios.filter(({ weight, expected }) => weight !== undefined && weighs(weight) && !expected);
  return {
    format: "acp-kit/conformance-report",
    version: 1,
    role,
    subject: options.subject,
    startedAt: options.startedAt.toISOString(),
    durationMs: Math.round(options.durationMs),
    conformant: weighty.length === 0 && stale.length === 0,
    counts: { scenarios: countScenarios(scenarios), requirements: countRules(rules) },
    scenarios,
    requirements: rules,
    staleExpectations: stale,
  };
}

function scenarioReport<Context extends ScenarioContext>(
  { check, verdict, durationMs, dialogues }: ScenarioOutcome<Context>,
  expects: (id: string) => boolean,
): ScenarioReport {
  const { id, title, kind, tier, verifies } = check;
  const base = { id, title, kind, tier, verifies, verdict, durationMs };
  if (verdict.status !== "failed") return { ...base, dialogues: [] };
  const rules = [...new Set(verdict.findings.map(({ requirement }) => requirement))];
  const expectedRules = rules.filter(expects);
  const expected = expects(id) || expectedRules.length === rules.length;
  return { ...base, weight: heaviestTier(rules), ...(expected && { expected }), dialogues };
}

function requirementReport(
  requirement: Requirement,
  scenarios: readonly ScenarioReport[],
  notTestable: Readonly<Record<string, string>>,
): RequirementReport {
  const { id, level, rule, officialIds } = requirement;
  const looking = scenarios.filter(({ verifies }) => verifies.includes(id));
  const findings = scenarios.flatMap(({ verdict }) =>
    verdict.status === "failed" ? verdict.findings.filter(({ requirement }) => requirement === id) : [],
  );
  const base = {
    id,
    level,
    tier: tierOf(requirement),
    rule,
    ...(officialIds && { officialIds }),
    scenarios: looking.map(({ id }) => id),
  };
  if (findings.length > 0) return { ...base, status: "failed", findings };
  if (looking.length === 0) {
    return { ...base, status: "not tested", reason: notTestable[id] ?? "no scenario that was run looks at it" };
  }
  const skipped = looking.flatMap(({ verdict }) => (verdict.status === "skipped" ? [verdict.reason] : []));
  // One that failed under another rule may not have come to this one.
  if (looking.some(({ verdict }) => verdict.status === "passed")) return { ...base, status: "passed" };
  const reason = skipped[0] ?? "the scenario that looks at it failed before, under another rule";
  return { ...base, status: "skipped", reason };
}

function countScenarios(scenarios: readonly ScenarioReport[]): ConformanceReport["counts"]["scenarios"] {
  const counts = { passed: 0, failed: 0, expected: 0, advisory: 0, skipped: 0 };
  for (const { verdict, weight, expected } of scenarios) {
    if (verdict.status === "passed") counts.passed++;
    else if (verdict.status === "skipped") counts.skipped++;
    else if (expected) counts.expected++;
    else if (weight !== undefined && weighs(weight)) counts.failed++;
    else counts.advisory++;
  }
  return counts;
}

function countRules(rules: readonly RequirementReport[]): ConformanceReport["counts"]["requirements"] {
  const counts = { passed: 0, failed: 0, skipped: 0, "not tested": 0 };
  for (const { status } of rules) counts[status]++;
  return counts;
}

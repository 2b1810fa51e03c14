import { version2Rules } from "../areas/version-2/rules.js";
import { heaviestFinding, weighs } from "../heaviest-tier.js";
import type { Requirement, Role } from "../requirements/requirement.js";
import { requirements } from "../requirements/requirements.js";
import { revisions } from "../requirements/revisions.js";
import { tierOf } from "../requirements/tier.js";
import type { ScenarioOutcome } from "../runner/run-options.js";
import type { ScenarioContext } from "../scenario.js";
import type { Finding } from "../verdict.js";
import { findFaults } from "./find-faults.js";
import { reasonsForDoubt } from "./reasons-for-doubt.js";
import type { ConformanceReport, ReportFault, ReportSubject, RequirementReport, ScenarioReport } from "./report.js";
import { writableDialogue } from "./writable-dialogue.js";

/** The parts that {@link buildReport} builds a report from. */
export interface BuildReportOptions<Context extends ScenarioContext> {
  readonly role: Role;
  readonly subject: ReportSubject;
  /** The version of this package. */
  readonly kit: string;
  readonly limits?: Readonly<Record<string, number>> | undefined;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcomes: readonly ScenarioOutcome<Context>[];
  /** The reason why the peer as a whole could not be tested. */
  readonly blocked?: string | undefined;
  readonly stopped?: boolean | undefined;
  /** The ids or prefixes of ids to which the run was limited. */
  readonly only?: readonly string[] | undefined;
  /** Ids of scenarios, watches or rules that are expected to fail. */
  readonly expectedFailures?: readonly string[] | undefined;
  /** The versions of the protocol whose rules the run tested. @defaultValue version 1 */
  readonly versions?: readonly number[];
  /** The rules of the remote transports, if the run tested them. */
  readonly moreRequirements?: readonly Requirement[];
}

/** Builds the report of a run. */
export function buildReport<Context extends ScenarioContext>(options: BuildReportOptions<Context>): ConformanceReport {
  const { role, outcomes, expectedFailures = [], moreRequirements = [], versions = [1] } = options;
  const expected = new Set(expectedFailures);
  const rated = outcomes.map((outcome) => scenarioReport(outcome, expected));
  const basis = new Map(outcomes.map(({ check }) => [check.id, check.basis]));
  const faults = findFaults(role, rated, (id) => basis.get(id));
  const scenarios = rated.map((scenario) => withFault(scenario, faults));
  const ofVersions = versions.flatMap((version) => (version === 1 ? requirements : version2Rules));
  const rules = [...ofVersions, ...moreRequirements]
    .filter(({ binds }) => binds === role || binds === "both")
    .map((requirement) => requirementReport(requirement, scenarios, role));
  const passed = new Set([...scenarios, ...rules].filter(isPassed).map(({ id }) => id));
  const stale = expectedFailures.filter((id) => passed.has(id));
  const weighty = faults.filter(({ weight, expected }) => weighs(weight) && !expected);
  const reasons = reasonsForDoubt(scenarios, options);
  const isBroken = weighty.length > 0 || stale.length > 0;
  const verdict = isBroken ? "not conformant" : reasons.length > 0 ? "inconclusive" : "conformant";
  return {
    format: "acp-kit/conformance-report",
    version: 2,
    role,
    subject: options.subject,
    made: { kit: options.kit, versions, ...revisions, ...(options.limits && { limits: options.limits }) },
    startedAt: options.startedAt.toISOString(),
    durationMs: Math.round(options.durationMs),
    verdict,
    reasons: verdict === "inconclusive" ? reasons : [],
    conformant: verdict === "conformant",
    ...(options.stopped && { stopped: true }),
    counts: { scenarios: countScenarios(scenarios), requirements: countRules(rules), faults: weighty.length },
    faults,
    scenarios,
    requirements: rules,
    staleExpectations: stale,
  };
}

function isPassed(each: ScenarioReport | RequirementReport): boolean {
  return "verdict" in each ? each.verdict.status === "passed" : each.status === "passed";
}

function withFault(scenario: ScenarioReport, faults: readonly ReportFault[]): ScenarioReport {
  const fault = faults.find(({ scenarios }) => scenarios.includes(scenario.id));
  return fault ? { ...scenario, fault: fault.id } : scenario;
}

function scenarioReport<Context extends ScenarioContext>(
  { check, verdict, durationMs, dialogues }: ScenarioOutcome<Context>,
  expected: ReadonlySet<string>,
): ScenarioReport {
  const { id, title, kind, tier, verifies } = check;
  const base = { id, title, kind, tier, verifies, verdict, durationMs };
  if (verdict.status !== "failed" && verdict.status !== "flaky") return { ...base, dialogues: [] };
  const rules = [...new Set(verdict.findings.map(({ requirement }) => requirement))];
  const isExpected = expected.has(id) || rules.every((rule) => expected.has(rule));
  return {
    ...base,
    weight: heaviestFinding(verdict.findings),
    ...(isExpected && { expected: true }),
    dialogues: dialogues.map(writableDialogue),
  };
}

function requirementReport(
  requirement: Requirement,
  scenarios: readonly ScenarioReport[],
  role: Role,
): RequirementReport {
  const { id, level, rule, official, brokenBy = [], untested = {} } = requirement;
  const isAbout = (finding: Finding): boolean => finding.requirement === id || brokenBy.includes(finding.requirement);
  const verifiers = scenarios.filter(({ verifies }) => verifies.includes(id));
  const findingsOf = ({ verdict }: ScenarioReport): readonly Finding[] =>
    verdict.status === "failed" ? verdict.findings.filter(isAbout) : [];
  const failed = scenarios.filter((scenario) => findingsOf(scenario).length > 0);
  const findings = failed.flatMap(findingsOf);
  const base = {
    id,
    level,
    tier: tierOf(requirement),
    rule,
    ...(official && { officialIds: Object.keys(official) }),
    scenarios: verifiers.map(({ id }) => id),
  };
  if (findings.length > 0) {
    const cited = [...new Set(findings.map(({ requirement }) => requirement))];
    const restated = !cited.includes(id) && { reason: `it repeats ${cited.join(", ")}` };
    const isExpected = failed.every(({ expected }) => expected === true);
    return { ...base, status: "failed", ...(isExpected && { expected: true }), ...restated, findings };
  }
  const flaky = scenarios.flatMap(({ verdict }) =>
    verdict.status === "flaky" && verdict.findings.some(isAbout) ? [verdict] : [],
  );
  if (flaky[0]) return { ...base, status: "flaky", reason: flaky[0].reason };
  if (verifiers.length === 0) {
    return { ...base, status: "not tested", reason: untested[role] ?? "no scenario that ran checks it" };
  }
  // Only a passed scenario shows that the rule is kept. A scenario that failed with another rule may have ended before
  // it checked this one.
  if (verifiers.some(({ verdict }) => verdict.status === "passed")) return { ...base, status: "passed" };
  for (const { verdict } of verifiers) {
    if (verdict.status === "inconclusive") return { ...base, status: "inconclusive", reason: verdict.reason };
  }
  for (const { verdict } of verifiers) {
    if (verdict.status === "skipped") return { ...base, status: "skipped", reason: verdict.reason };
  }
  const reason = "the scenario that checks it failed before, with another rule";
  return { ...base, status: "inconclusive", reason };
}

function countScenarios(scenarios: readonly ScenarioReport[]): ConformanceReport["counts"]["scenarios"] {
  const counts = { passed: 0, failed: 0, expected: 0, advisory: 0, flaky: 0, skipped: 0, inconclusive: 0 };
  for (const { verdict, weight, expected } of scenarios) {
    if (verdict.status === "failed") {
      if (expected) counts.expected++;
      else if (weight !== undefined && weighs(weight)) counts.failed++;
      else counts.advisory++;
    } else if (verdict.status !== "not tested") counts[verdict.status]++;
  }
  return counts;
}

function countRules(rules: readonly RequirementReport[]): ConformanceReport["counts"]["requirements"] {
  const counts = { passed: 0, failed: 0, expected: 0, flaky: 0, skipped: 0, inconclusive: 0, "not tested": 0 };
  for (const { status, expected } of rules) counts[expected ? "expected" : status]++;
  return counts;
}

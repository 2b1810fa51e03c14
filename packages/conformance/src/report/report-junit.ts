import { escapeMarkup } from "./escape.js";
import type { ConformanceReport, ScenarioReport } from "./report.js";
import { findingLines, wordFor } from "./report-text.js";

/** Formats a report as JUnit XML. Advice, expected and flaky failures are none; inconclusive is skipped. */
export function reportJUnit(report: ConformanceReport): string {
  const { scenarios, subject } = report;
  const all = grouped(scenarios)
    .map(([name, cases]) => suite(name, cases, propertiesOf(report)))
    .join("");
  const stale = report.staleExpectations.map(
    (id) =>
      `<testcase classname="expected failures" name="${escapeMarkup(id)}"><failure message="Expected to fail, but passed."/></testcase>`,
  );
  const rest =
    stale.length > 0
      ? `<testsuite name="expected failures" tests="${stale.length}" failures="${stale.length}">${stale.join("")}</testsuite>`
      : "";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeMarkup(`ACP conformance: ${subject.name ?? subject.command}`)}" time="${seconds(report.durationMs)}">${all}${rest}</testsuites>\n`;
}

function grouped(scenarios: readonly ScenarioReport[]): [string, ScenarioReport[]][] {
  const groups = new Map<string, ScenarioReport[]>();
  for (const scenario of scenarios) {
    const name = scenario.id.split("/")[0] ?? "";
    groups.set(name, [...(groups.get(name) ?? []), scenario]);
  }
  return [...groups];
}

/** Formats the versions of the kit, the rules and the schema of the report. */
function propertiesOf({ made }: ConformanceReport): string {
  const { kit, rules, schema, schemaSha256 } = made;
  const all = Object.entries({ kit, rules, schema, schemaSha256 });
  const properties = all.map(([name, value]) => `<property name="${name}" value="${escapeMarkup(value)}"/>`);
  return `<properties>${properties.join("")}</properties>`;
}

function suite(name: string, cases: readonly ScenarioReport[], properties: string): string {
  const count = (word: string): number => cases.filter((each) => wordFor(each) === word).length;
  const time = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const body = cases.map(testCase).join("");
  return `<testsuite name="${escapeMarkup(name)}" tests="${cases.length}" failures="${count("failed")}" skipped="${count("skipped") + count("inconclusive")}" time="${time}">${properties}${body}</testsuite>`;
}

function testCase(scenario: ScenarioReport): string {
  const { id, title, verdict, durationMs, dialogues } = scenario;
  const head = `<testcase classname="${escapeMarkup(id)}" name="${escapeMarkup(title)}" time="${seconds(durationMs)}"`;
  if (verdict.status === "passed") return `${head}/>`;
  if (verdict.status !== "failed" && verdict.status !== "flaky") {
    const why = verdict.status === "skipped" ? verdict.reason : `${verdict.status}: ${verdict.reason}`;
    return `${head}><skipped message="${escapeMarkup(why)}"/></testcase>`;
  }
  const text = escapeMarkup(
    verdict.findings.map((finding) => findingLines(finding, undefined, dialogues).join("\n")).join("\n\n"),
  );
  const rules = escapeMarkup([...new Set(verdict.findings.map(({ requirement }) => requirement))].join(", "));
  if (wordFor(scenario) === "failed") return `${head}><failure message="breaks ${rules}">${text}</failure></testcase>`;
  return `${head}><system-out>${text}</system-out></testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

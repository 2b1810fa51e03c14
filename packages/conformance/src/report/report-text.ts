import { weighs } from "../heaviest-tier.js";
import { requirementOf } from "../requirements/find-requirement.js";
import type { Finding } from "../verdict.js";
import { withoutControls } from "./escape.js";
import type { ConformanceReport, ScenarioReport } from "./report.js";

/** Paints words; a terminal's colours, or nothing. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const plain: Paint = {
  bold: (text) => text,
  dim: (text) => text,
  red: (text) => text,
  green: (text) => text,
  yellow: (text) => text,
};

/** The word for what became of a scenario. */
export function wordFor({
  verdict,
  weight,
  expected,
}: ScenarioReport): "passed" | "failed" | "expected" | "advice" | "skipped" {
  if (verdict.status === "passed" || verdict.status === "skipped") return verdict.status;
  if (expected) return "expected";
  return weight !== undefined && weighs(weight) ? "failed" : "advice";
}

/** A report for a terminal: a line for each scenario, every finding in plain words, and the sums. */
export function reportText(report: ConformanceReport, paint: Paint = plain): string {
  const lines: string[] = [];
  let area = "";
  for (const scenario of report.scenarios) {
    const next = scenario.id.split("/")[0] ?? "";
    if (next !== area) lines.push("", paint.bold(next));
    area = next;
    lines.push(...scenarioLines(scenario, paint));
  }
  lines.push("", ...sums(report, paint));
  return `${lines.join("\n").trimStart()}\n`;
}

function scenarioLines(scenario: ScenarioReport, paint: Paint): readonly string[] {
  const word = wordFor(scenario);
  const { id, title, verdict } = scenario;
  const marks = {
    passed: paint.green("✓"),
    failed: paint.red("✗"),
    expected: paint.yellow("✗"),
    advice: paint.yellow("!"),
    skipped: paint.dim("-"),
  };
  const name = `${marks[word]} ${id.slice(id.indexOf("/") + 1)}`;
  if (verdict.status === "passed") return [`  ${name}  ${paint.dim(title)}`];
  if (verdict.status === "skipped") return [`  ${name}  ${paint.dim(`skipped: ${withoutControls(verdict.reason)}`)}`];
  if (verdict.status !== "failed") return [];
  const note = word === "expected" ? paint.yellow(" (expected)") : word === "advice" ? paint.yellow(" (advice)") : "";
  return [`  ${name}  ${title}${note}`, ...verdict.findings.flatMap((finding) => findingLines(finding, paint))];
}

/** A finding in plain words: what was sent, what came, what the rule says. */
export function findingLines(
  { requirement, sent, received, explanation, where }: Finding,
  paint: Paint = plain,
): readonly string[] {
  const { level, rule, officialIds = [] } = requirementOf(requirement);
  const ids = [requirement, ...officialIds].join(", ");
  const place =
    where && `${where.dialogue}${where.seqs.length > 0 ? `, ${where.seqs.map((seq) => `#${seq}`).join(" ")}` : ""}`;
  return [
    `      ${paint.bold(`[${ids}]`)} ${level}: ${rule}`,
    `      sent:     ${withoutControls(sent)}`,
    `      received: ${withoutControls(received)}`,
    `      because:  ${withoutControls(explanation)}`,
    ...(place === undefined ? [] : [paint.dim(`      where:    ${place}`)]),
  ];
}

function sums(report: ConformanceReport, paint: Paint): readonly string[] {
  const { scenarios, requirements } = report.counts;
  const { name, version, command } = report.subject;
  const who = withoutControls(name === undefined ? command : `${name} ${version ?? ""}`.trim());
  const verdict = report.conformant ? paint.green("conformant") : paint.red("not conformant");
  const stale = report.staleExpectations.map((id) => paint.red(`expected to fail, but didn't: ${withoutControls(id)}`));
  return [
    ...stale,
    `scenarios:    ${scenarios.passed} passed, ${scenarios.failed} failed, ${scenarios.expected} failed as expected, ${scenarios.advisory} with advice, ${scenarios.skipped} skipped`,
    `requirements: ${requirements.passed} passed, ${requirements.failed} failed, ${requirements.skipped} skipped, ${requirements["not tested"]} not tested`,
    `${who}: ${verdict} (${(report.durationMs / 1000).toFixed(1)} s)`,
  ];
}

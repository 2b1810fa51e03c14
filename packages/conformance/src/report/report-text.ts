import type { Dialogue } from "../dialogue.js";
import { weighs } from "../heaviest-tier.js";
import { requirementOf } from "../requirements/find-requirement.js";
import { citationOf } from "../requirements/quotes.js";
import { remedies } from "../requirements/remedies.js";
import type { Finding } from "../verdict.js";
import { entryOf } from "../wire/values.js";
import { decisiveEntries, entryLine } from "./decisive-lines.js";
import { withoutControls } from "./escape.js";
import type { ConformanceReport, ReportVerdict, ScenarioReport } from "./report.js";

/** Functions that colour words for a terminal. By default, words are not coloured. */
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

/** The word for the result of a scenario in a report. */
export type ScenarioWord = "passed" | "failed" | "expected" | "advice" | "flaky" | "skipped" | "inconclusive";

/** Returns the word for the result of a scenario. A failure is `failed` only if it broke a mandatory or capability rule and is not an expected failure. */
export function wordFor({ verdict, weight, expected }: ScenarioReport): ScenarioWord {
  if (verdict.status === "not tested") return "skipped";
  if (verdict.status !== "failed") return verdict.status;
  if (expected) return "expected";
  return weight !== undefined && weighs(weight) ? "failed" : "advice";
}

/**
 * Formats a report for a terminal: a line for each scenario, every finding with the messages that show it, the faults (failures grouped by
 * cause) and the totals.
 */
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
  const marks: Readonly<Record<ScenarioWord, string>> = {
    passed: paint.green("✓"),
    failed: paint.red("✗"),
    expected: paint.yellow("✗"),
    advice: paint.yellow("!"),
    flaky: paint.yellow("~"),
    skipped: paint.dim("-"),
    inconclusive: paint.yellow("?"),
  };
  const name = `${marks[word]} ${id.slice(id.indexOf("/") + 1)}`;
  switch (verdict.status) {
    case "passed":
      return [`  ${name}  ${paint.dim(title)}`];
    case "skipped":
    case "inconclusive":
    case "not tested":
      return [`  ${name}  ${paint.dim(`${verdict.status}: ${withoutControls(verdict.reason)}`)}`];
    case "flaky":
    case "failed": {
      const note = word === "failed" ? "" : paint.yellow(` (${word})`);
      const why = verdict.status === "flaky" ? [`      ${withoutControls(verdict.reason)}`] : [];
      const lines = verdict.findings.flatMap((finding) => findingLines(finding, paint, scenario.dialogues));
      return [`  ${name}  ${title}${note}`, ...why, ...lines];
    }
  }
}

/** Formats a finding: the rule, the message sent, the message received, and the entries of the dialogue that it points to. */
export function findingLines(
  finding: Finding,
  paint: Paint = plain,
  dialogues: readonly Dialogue[] = [],
): readonly string[] {
  const { level, rule, officialIds = [] } = requirementOf(finding.requirement);
  const { requirement, sent, received, explanation, where } = finding;
  const ids = [requirement, ...officialIds].join(", ");
  const place =
    where && `${where.dialogue}${where.seqs.length > 0 ? `, ${where.seqs.map((seq) => `#${seq}`).join(" ")}` : ""}`;
  return [
    `      ${paint.bold(`[${ids}]`)} ${level}: ${rule}`,
    ...quoteLines(requirement),
    `      sent:     ${withoutControls(sent)}`,
    `      received: ${withoutControls(received)}`,
    `      expected: ${withoutControls(explanation)}`,
    ...remedyLines(requirement),
    ...(place === undefined ? [] : [paint.dim(`      where:    ${place}`)]),
    ...decisiveEntries(finding, dialogues).map((entry) => paint.dim(`        ${withoutControls(entryLine(entry))}`)),
  ];
}

function remedyLines(requirement: string): readonly string[] {
  const remedy = entryOf(remedies, requirement);
  return remedy === undefined ? [] : [`      to do:    ${remedy}`];
}

/** Formats the sentence of the specification that a rule comes from, and its location. */
function quoteLines(requirement: string): readonly string[] {
  const citation = citationOf(requirement);
  if (!citation) return [];
  const { text, place, note } = citation;
  return [`      spec:     ${text === undefined ? place : `“${text}” (${place})`}; ${note}`];
}

function sums(report: ConformanceReport, paint: Paint): readonly string[] {
  const { scenarios, requirements, faults } = report.counts;
  const { name, version, command } = report.subject;
  const who = withoutControls(name === undefined ? command : `${name} ${version ?? ""}`.trim());
  const stale = report.staleExpectations.map((id) => paint.red(`expected to fail, but passed: ${withoutControls(id)}`));
  return [
    ...stale,
    ...faultLines(report, paint),
    `scenarios:    ${inOrder(scenarios, { expected: "failed as expected", advisory: "with advice" })}`,
    `requirements: ${inOrder(requirements, {})}`,
    `faults:       ${faults}`,
    ...(report.subject.calls === undefined ? [] : [`calls:        ${report.subject.calls.join(", ") || "none"}`]),
    `made with:    @acp-kit/conformance ${report.made.kit}, rules ${report.made.rules}, schema of ${report.made.schema}`,
    ...report.reasons.map((reason) => paint.yellow(withoutControls(reason))),
    `${who}: ${verdictColour(report.verdict, paint)(verdictText(report))} (${(report.durationMs / 1000).toFixed(1)} s)`,
  ];
}

/** Returns the words for the verdict. A peer whose failures were all expected is not called conformant, because it breaks rules. */
function verdictText({ verdict, counts }: ConformanceReport): string {
  const { expected } = counts.scenarios;
  return verdict === "conformant" && expected > 0 ? `no unexpected failures, ${expected} failed as expected` : verdict;
}

/** Formats the faults that several scenarios show: the report lists each failure separately, but there is only one defect to fix. */
function faultLines({ faults }: ConformanceReport, paint: Paint): readonly string[] {
  const shared = faults.filter(({ scenarios }) => scenarios.length > 1);
  if (shared.length === 0) return [];
  const lines = shared.map(
    ({ id, weight, finding, rules, scenarios }) =>
      `  ${id} (${weight}): ${withoutControls(finding.explanation)}\n      breaks ${rules.join(", ")}; seen by ${scenarios.join(", ")}`,
  );
  return [paint.bold("faults with several failures"), ...lines, ""];
}

function inOrder(counts: Readonly<Record<string, number>>, names: Readonly<Record<string, string>>): string {
  return Object.entries(counts)
    .map(([word, count]) => `${count} ${names[word] ?? word}`)
    .join(", ");
}

function verdictColour(verdict: ReportVerdict, paint: Paint): (text: string) => string {
  return verdict === "conformant" ? paint.green : verdict === "inconclusive" ? paint.yellow : paint.red;
}

import type { Dialogue } from "../dialogue.js";
import { weighs } from "../heaviest-tier.js";
import type { Finding } from "../verdict.js";
import { decisiveEntries, entryLine } from "./decisive-lines.js";
import { withoutControls } from "./escape.js";
import { findingParts, ruleOf } from "./finding-parts.js";
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

/** Returns the word for a result. `failed` is an unexpected failure of a mandatory or capability rule. */
export function wordFor({ verdict, weight, expected }: ScenarioReport): ScenarioWord {
  if (verdict.status === "not tested") return "skipped";
  if (verdict.status !== "failed") return verdict.status;
  if (expected) return "expected";
  return weight !== undefined && weighs(weight) ? "failed" : "advice";
}

/** More skipped scenarios than this are one line, so that they do not bury the others. */
const MAX_SKIPPED_LINES = 5;

/**
 * Formats a report for a terminal: a line for each scenario that was not skipped, then the faults (failures grouped by
 * cause, heaviest first) with the messages that show them, and the totals.
 */
export function reportText(report: ConformanceReport, paint: Paint = plain): string {
  const lines: string[] = [];
  let area = "";
  const isSkipped = ({ verdict }: ScenarioReport): boolean => verdict.status === "skipped";
  const skipped = report.scenarios.filter(isSkipped).length;
  const isListed = (scenario: ScenarioReport): boolean => skipped <= MAX_SKIPPED_LINES || !isSkipped(scenario);
  for (const scenario of report.scenarios.filter(isListed)) {
    const next = scenario.id.split("/")[0] ?? "";
    if (next !== area) lines.push("", paint.bold(next));
    area = next;
    lines.push(...scenarioLines(scenario, paint));
  }
  if (skipped > MAX_SKIPPED_LINES) {
    lines.push("", paint.dim(`${skipped} were skipped; the JSON and HTML reports have the reason for each`));
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
    case "flaky": {
      const lines = verdict.findings.flatMap((finding) => findingLines(finding, paint, scenario.dialogues));
      return [`  ${name}  ${title}${paint.yellow(` (${word})`)}`, `      ${withoutControls(verdict.reason)}`, ...lines];
    }
    case "failed": {
      const note = word === "failed" ? (scenario.fault ?? word) : [word, scenario.fault].filter(Boolean).join(", ");
      return [`  ${name}  ${title}${paint.yellow(` (${note})`)}`];
    }
  }
}

/** Formats a finding: the rule, the messages sent and received, and the entries that it points to. */
export function findingLines(
  finding: Finding,
  paint: Paint = plain,
  dialogues: readonly Dialogue[] = [],
): readonly string[] {
  const { where } = finding;
  const { ids, text } = ruleOf(finding);
  const place =
    where && `${where.dialogue}${where.seqs.length > 0 ? `, ${where.seqs.map((seq) => `#${seq}`).join(" ")}` : ""}`;
  return [
    `      ${paint.bold(`[${ids}]`)} ${text}`,
    ...findingParts(finding).map(({ label, text }) => `      ${`${label}:`.padEnd(9)} ${withoutControls(text)}`),
    ...(place === undefined ? [] : [paint.dim(`      where:    ${place}`)]),
    ...decisiveEntries(finding, dialogues).map((entry) => paint.dim(`        ${withoutControls(entryLine(entry))}`)),
  ];
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
    `requirements: ${inOrder(requirements, { expected: "failed as expected" })}`,
    `faults:       ${faults}`,
    ...(report.subject.calls === undefined ? [] : [`calls:        ${report.subject.calls.join(", ") || "none"}`]),
    `made with:    @acp-kit/conformance ${report.made.kit}, rules ${report.made.rules} of protocol version ${report.made.versions.join(" and ")}, schema of ${report.made.schema}`,
    ...report.reasons.map((reason) => paint.yellow(withoutControls(reason))),
    `${who}: ${verdictColour(report.verdict, paint)(verdictText(report))} (${(report.durationMs / 1000).toFixed(1)} s)`,
  ];
}

/** Returns the words for the verdict. A peer whose failures were all expected is not called conformant. */
function verdictText({ verdict, counts }: ConformanceReport): string {
  const { expected } = counts.scenarios;
  return verdict === "conformant" && expected > 0 ? `no unexpected failures, ${expected} failed as expected` : verdict;
}

/** Formats the faults, heaviest first: each with its scenarios, and one finding for each rule that it breaks. */
function faultLines({ faults, scenarios }: ConformanceReport, paint: Paint): readonly string[] {
  if (faults.length === 0) return [];
  const lines = faults.flatMap((fault) => {
    const { id, weight, expected, finding } = fault;
    const seen = scenarios.filter((scenario) => fault.scenarios.includes(scenario.id));
    const more = seen.flatMap(({ verdict }) => (verdict.status === "failed" ? verdict.findings : []));
    const ofRules = fault.rules.flatMap((rule) => [finding, ...more].find((each) => each.requirement === rule) ?? []);
    const dialogues = seen.flatMap((scenario) => scenario.dialogues);
    const shown = [finding, ...ofRules.filter((each) => each !== finding)];
    const mark = weighs(weight) && !expected ? paint.red(id) : paint.yellow(id);
    return [
      `  ${mark} (${expected ? "expected" : weight}), seen by ${fault.scenarios.join(", ")}`,
      ...shown.flatMap((each) => findingLines(each, paint, dialogues)),
    ];
  });
  return [paint.bold("faults"), ...lines, ""];
}

function inOrder(counts: Readonly<Record<string, number>>, names: Readonly<Record<string, string>>): string {
  return Object.entries(counts)
    .map(([word, count]) => `${count} ${names[word] ?? word}`)
    .join(", ");
}

function verdictColour(verdict: ReportVerdict, paint: Paint): (text: string) => string {
  return verdict === "conformant" ? paint.green : verdict === "inconclusive" ? paint.yellow : paint.red;
}

import { heaviestFinding, weighs } from "../heaviest-tier.js";
import { withoutControls } from "./escape.js";
import { isCited } from "./is-cited.js";
import type { ConformanceReport, RequirementReport } from "./report.js";

const marks: Readonly<Record<RequirementReport["status"], string>> = {
  passed: "✓",
  failed: "✗",
  flaky: "~",
  skipped: "–",
  inconclusive: "?",
  "not tested": "",
};

/**
 * Formats several reports of one role as Markdown: a table of the peers with their verdicts, and a table of the rules that at least one of
 * them broke. The mark `!` stands for a broken rule that is advice.
 */
export function reportMatrix(reports: readonly ConformanceReport[]): string {
  const names = reports.map(({ subject }) => cell(`${subject.name ?? subject.command} ${subject.version ?? ""}`));
  const peers = reports.map(({ verdict, counts, made, startedAt, reasons }, index) => {
    const { passed, skipped, inconclusive } = counts.scenarios;
    const why = reasons[0] === undefined ? "" : `: ${cell(reasons[0])}`;
    return `| ${names[index]} | ${startedAt.slice(0, 10)} | ${verdict}${why} | ${counts.faults} | ${passed} | ${skipped} | ${inconclusive} | ${made.rules} |`;
  });
  const byRule = reports.map(({ requirements }) => new Map(requirements.map((each) => [each.id, each])));
  const ids = new Set(byRule.flatMap((rules) => [...rules.keys()])); // only some of the reports may contain the rules of servers
  const broken = [...ids].filter((id) => byRule.some((rules) => isCited(rules.get(id))));
  const rules = broken.map((id) => `| ${id} | ${byRule.map((each) => markOf(each.get(id))).join(" | ")} |`);
  return [
    "| peer | date | verdict | faults | passed | skipped | inconclusive | rules |",
    "| --- | --- | --- | ---: | ---: | ---: | ---: | --- |",
    ...peers,
    "",
    `| rule | ${names.join(" | ")} |`,
    `| --- |${names.map(() => " --- |").join("")}`,
    ...rules,
    "",
  ].join("\n");
}

function markOf(rule: RequirementReport | undefined): string {
  if (rule === undefined) return "";
  if (rule.status !== "failed") return marks[rule.status];
  const own = rule.findings?.filter(({ requirement }) => requirement === rule.id) ?? [];
  return weighs(own.length > 0 ? heaviestFinding(own) : rule.tier) ? marks.failed : "!";
}

/** Formats text of a peer for a table cell: on one line, and without markup. */
function cell(text: string): string {
  return withoutControls(text)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[|<>`\\]/g, (character) => `\\${character}`);
}

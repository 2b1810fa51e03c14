import type { ConformanceReport, Dialogue, ReportFault } from "@acp-kit/conformance";
import type { ConformanceRun } from "./conformance-report.js";

/** The subject that the page shows for a run, if it differs from the subject in the reports. */
export interface CondenseOptions {
  readonly role?: ConformanceRun["role"];
  readonly peer?: string;
  readonly version?: string;
}

/** The maximum length of a message on the page, in characters. */
const MAX_LINE = 280;

const weighs = (tier: string): boolean => tier === "mandatory" || tier === "capability";

/**
 * Condenses the JSON reports of one run into the data of a page. Several reports are the parts of one run that `--only`
 * and `--skip` divided.
 */
export function condense(reports: readonly ConformanceReport[], options: CondenseOptions = {}): ConformanceRun {
  const [first] = reports;
  if (!first) throw new TypeError("A run needs at least one report.");
  const sum = (of: (report: ConformanceReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const verdicts = reports.map(({ verdict }) => verdict);
  const verdict = (["not conformant", "inconclusive"] as const).find((each) => verdicts.includes(each)) ?? "conformant";
  const faults = distinct(reports.flatMap((report) => report.faults.map((fault) => ({ report, fault }))));
  const heavy = faults.filter(({ fault }) => weighs(fault.weight) && !fault.expected);
  const reasons = [...new Set(reports.flatMap((report) => report.reasons))];
  return {
    role: options.role ?? first.role,
    peer: options.peer ?? first.subject.name ?? first.subject.command,
    version: options.version ?? first.subject.version ?? "",
    date: first.startedAt.slice(0, 10),
    rules: first.made.rules,
    kit: first.made.kit,
    verdict,
    ...(verdict === "inconclusive" && { reasons }),
    faults: heavy.length,
    passed: sum(({ counts }) => counts.scenarios.passed),
    skipped: sum(({ counts }) => counts.scenarios.skipped),
    inconclusive: sum(({ counts }) => counts.scenarios.inconclusive + counts.scenarios.flaky),
    broken: brokenRules(reports),
    findings: heavy.map(({ report, fault }) => ({
      rule: fault.finding.requirement,
      received: shortened(withoutPlaces(fault.finding.received)),
      dialogue: decisiveLines(report, fault),
    })),
  };
}

/** Removes duplicates: one fault can occur in several parts of a run. */
function distinct<Entry extends { readonly fault: ReportFault }>(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ fault }) => {
    const key = fault.rules.join(" ");
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the rules that findings cite, those with weight first. A rule that repeats a cited rule is left out. */
function brokenRules(reports: readonly ConformanceReport[]): ConformanceRun["broken"] {
  const broken = new Map<string, boolean>();
  for (const { requirements } of reports) {
    for (const { id, tier, status, findings = [] } of requirements) {
      const cited = findings.filter(({ requirement }) => requirement === id);
      if (status !== "failed" || cited.length === 0) continue;
      broken.set(id, broken.get(id) === true || (weighs(tier) && cited.some(({ advice }) => advice !== true)));
    }
  }
  return [...broken]
    .map(([rule, weighs]) => ({ rule, weighs }))
    .sort((one, other) => Number(other.weighs) - Number(one.weighs) || one.rule.localeCompare(other.rule));
}

/** Returns the messages that a finding refers to. */
function decisiveLines({ scenarios }: ConformanceReport, { finding, foundBy }: ReportFault): readonly string[] {
  const { where } = finding;
  const dialogues: readonly Dialogue[] = scenarios.find(({ id }) => id === foundBy)?.dialogues ?? [];
  const entries = dialogues.find(({ name }) => name === where?.dialogue)?.entries ?? [];
  return entries.flatMap((entry) => {
    if (!where?.seqs.includes(entry.seq) || !("from" in entry)) return [];
    const text = "message" in entry ? JSON.stringify(entry.message) : entry.raw;
    return [shortened(`${entry.from} → ${withoutPlaces(text)}`)];
  });
}

/** Removes paths and ids, which differ between machines and runs. */
function withoutPlaces(text: string): string {
  return text
    .replaceAll(/(?:\/[\w.@+-]+)*\/acp-kit-[\w-]+(?:\/(?:work|home|elsewhere))?/g, "…")
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "…")
    .replaceAll(/\b(ses_|call_|toolu_|msg_)[\w-]+/g, "$1…");
}

function shortened(text: string): string {
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
}

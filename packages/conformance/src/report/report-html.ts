import type { Dialogue, DialogueEntry } from "../dialogue.js";
import { requirementOf } from "../requirements/find-requirement.js";
import type { Finding } from "../verdict.js";
import { jsonText } from "../wire/values.js";
import { escapeMarkup } from "./escape.js";
import { type FindingPart, findingParts, ruleOf } from "./finding-parts.js";
import type { ConformanceReport, ReportFault, RequirementReport, ScenarioReport } from "./report.js";
import { wordFor } from "./report-text.js";

/** How many characters of a message and how many entries of a dialogue the file shows. */
const MESSAGE_LIMIT = 4_000;
const ENTRIES = 120;

const style = `
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .5rem;border-bottom:1px solid #8884}
.passed{color:#1a7f37}.failed{color:#cf222e}.expected,.advice,.flaky,.inconclusive{color:#9a6700}.skipped,.not-tested{color:#777}
details{border-left:3px solid #8886;padding-left:.75rem;margin:.5rem 0}summary{cursor:pointer}
.client{background:#0969da18}.agent{background:#8250df18}.event{color:#777}.hit{outline:2px solid #cf222e}
.dialogue td{border:0;padding:.1rem .5rem}dt{font-weight:600}dd{margin:0 0 .25rem 1rem;overflow-wrap:anywhere}
`;

/** Formats a report as one HTML file without scripts or network access. Data of the peer is shown as text. */
export function reportHtml(report: ConformanceReport): string {
  const { subject, counts, scenarios, requirements } = report;
  const who = escapeMarkup(subject.name === undefined ? subject.command : `${subject.name} ${subject.version ?? ""}`);
  const failed = scenarios.filter(({ verdict }) => verdict.status === "failed" || verdict.status === "flaky");
  const colour = { conformant: "passed", "not conformant": "failed", inconclusive: "inconclusive" }[report.verdict];
  const verdict = `<b class="${colour}">${report.verdict}</b>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>ACP conformance: ${who}</title><style>${style}</style></head><body>
<h1>ACP conformance: ${who}</h1>
<p>The ${report.role} <code>${escapeMarkup(subject.command)}</code> is ${verdict}. ${escapeMarkup(report.startedAt)}, ${(report.durationMs / 1000).toFixed(1)} s.</p>
${report.reasons.map((reason) => `<p class="inconclusive">${escapeMarkup(reason)}</p>`).join("")}
<p>Scenarios: ${counts.scenarios.passed} passed, ${counts.scenarios.failed} failed, ${counts.scenarios.expected} failed as expected, ${counts.scenarios.advisory} with advice, ${counts.scenarios.flaky} flaky, ${counts.scenarios.skipped} skipped, ${counts.scenarios.inconclusive} inconclusive.<br>
Requirements: ${counts.requirements.passed} passed, ${counts.requirements.failed} failed, ${counts.requirements.expected} failed as expected, ${counts.requirements.flaky} flaky, ${counts.requirements.skipped} skipped, ${counts.requirements.inconclusive} inconclusive, ${counts.requirements["not tested"]} not tested.<br>
Made with @acp-kit/conformance ${escapeMarkup(report.made.kit)}, rules ${report.made.rules} of protocol version ${report.made.versions.join(" and ")}, schema of ${report.made.schema} (sha256 <code>${report.made.schemaSha256}</code>).</p>
${report.staleExpectations.map((id) => `<p class="failed">Expected to fail, but passed: ${escapeMarkup(id)}</p>`).join("")}
${report.faults.length > 0 ? `<h2>Faults</h2><table>${report.faults.map(faultRow).join("")}</table>` : ""}
${failed.length > 0 ? `<h2>Findings</h2>${failed.map(failure).join("")}` : ""}
<h2>Scenarios</h2><table>${scenarios.map(scenarioRow).join("")}</table>
<h2>Requirements</h2><table>${requirements.map(requirementRow).join("")}</table>
</body></html>
`;
}

function faultRow({ id, weight, expected, finding, rules, scenarios }: ReportFault): string {
  const links = scenarios.map((each) => `<a href="#${escapeMarkup(each)}">${escapeMarkup(each)}</a>`);
  return `<tr><td>${id}</td><td>${weight}${expected ? ", expected" : ""}</td><td>${escapeMarkup(finding.explanation)}<br>breaks ${rules.join(", ")}; seen by ${links.join(", ")}</td></tr>`;
}

function failure(scenario: ScenarioReport): string {
  const { id, title, verdict, dialogues } = scenario;
  const findings = verdict.status === "failed" || verdict.status === "flaky" ? verdict.findings : [];
  const why = verdict.status === "flaky" ? `<p class="flaky">${escapeMarkup(verdict.reason)}</p>` : "";
  const word = wordFor(scenario);
  return `<section id="${escapeMarkup(id)}"><h3><span class="${word}">${word}</span> ${escapeMarkup(title)} <code>${escapeMarkup(id)}</code></h3>${why}
${findings.map(findingHtml).join("")}${dialogues.map((dialogue) => dialogueHtml(dialogue, findings)).join("")}</section>`;
}

function findingHtml(finding: Finding): string {
  const { ids, text } = ruleOf(finding);
  const { sources } = requirementOf(finding.requirement);
  const parts = findingParts(finding).map((part) => `<dt>${part.label}</dt><dd>${linked(part)}</dd>`);
  return `<dl><dt>${escapeMarkup(ids)} (from ${sources.join(", ")})</dt><dd>${escapeMarkup(text)}</dd>${parts.join("")}</dl>`;
}

function linked({ text, address }: FindingPart): string {
  const all = escapeMarkup(text);
  if (address === undefined) return all;
  const target = escapeMarkup(address);
  return all.replace(target, () => `<a href="${target}">${target}</a>`);
}

function dialogueHtml({ name, entries }: Dialogue, findings: readonly Finding[]): string {
  const hits = new Set(findings.flatMap(({ where }) => (where?.dialogue === name ? where.seqs : [])));
  const last = Math.max(...hits, entries.length > ENTRIES && hits.size === 0 ? ENTRIES : 0);
  const from = entries.length <= ENTRIES ? 0 : Math.max(0, Math.min(last - ENTRIES / 2, entries.length - ENTRIES));
  const shown = entries.slice(from, from + ENTRIES);
  const left = entries.length - shown.length;
  return `<details${hits.size > 0 ? " open" : ""}><summary>${escapeMarkup(name)}: ${entries.length} entries${left > 0 ? `, ${left} of them not shown` : ""}</summary>
<table class="dialogue">${shown.map((entry) => entryRow(entry, hits.has(entry.seq))).join("")}</table></details>`;
}

function entryRow(entry: DialogueEntry, isHit: boolean): string {
  const from = "from" in entry ? entry.from : "event";
  const text =
    "message" in entry ? jsonText(entry.message) : "raw" in entry ? `${entry.raw} (${entry.because})` : entry.event;
  const cut = text.length > MESSAGE_LIMIT ? `${text.slice(0, MESSAGE_LIMIT)}… (${text.length} characters)` : text;
  return `<tr class="${from}${isHit ? " hit" : ""}"><td>#${entry.seq}</td><td>${entry.atMs}&nbsp;ms</td><td>${from}</td><td><pre>${escapeMarkup(cut)}</pre></td></tr>`;
}

function scenarioRow(scenario: ScenarioReport): string {
  const { id, title, verdict, verifies, tier } = scenario;
  const word = wordFor(scenario);
  const why = "reason" in verdict ? `<br><span class="skipped">${escapeMarkup(verdict.reason)}</span>` : "";
  const name =
    verdict.status === "failed" || verdict.status === "flaky"
      ? `<a href="#${escapeMarkup(id)}">${escapeMarkup(id)}</a>`
      : escapeMarkup(id);
  return `<tr><td class="${word}">${word}</td><td><code>${name}</code><br>${escapeMarkup(title)}${why}</td><td>${tier}</td><td>${verifies.join(", ")}</td></tr>`;
}

function requirementRow({ id, level, tier, rule, status, reason, officialIds = [] }: RequirementReport): string {
  const why = reason === undefined ? "" : `<br><span class="skipped">${escapeMarkup(reason)}</span>`;
  return `<tr><td class="${status.replace(" ", "-")}">${status}</td><td><code>${[id, ...officialIds].join(" ")}</code></td><td>${level}<br>${tier}</td><td>${escapeMarkup(rule)}${why}</td></tr>`;
}

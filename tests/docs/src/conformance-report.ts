import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";

/** Where the page is, and the data that it is made from. */
export const conformanceReportPath = "docs/conformance-report.md";
const folder = join(root, "docs/conformance");

/** A run of the conformance tests, condensed: `record-conformance` and `condense-run` write them. */
export interface ConformanceRun {
  readonly role: "agent" | "client" | "server";
  readonly peer: string;
  readonly version: string;
  readonly date: string;
  /** The revision of the rules. */
  readonly rules: string;
  /** The version of the kit, where the report named it. */
  readonly kit?: string;
  readonly verdict: string;
  /** Why the verdict is inconclusive. */
  readonly reasons?: readonly string[];
  readonly faults: number;
  readonly passed: number;
  readonly skipped: number;
  readonly inconclusive: number;
  readonly broken: readonly { readonly rule: string; readonly weighs: boolean }[];
  /** One of each fault that weighs. */
  readonly findings?: readonly {
    readonly rule: string;
    readonly received: string;
    readonly dialogue: readonly string[];
  }[];
}

/** What a person found out about a run: it is no part of its data, which a command writes. */
export interface RunNote {
  readonly note?: string;
  /** About a broken rule, by its id. */
  readonly rules?: Readonly<Record<string, string>>;
}

interface Correction {
  readonly role: string;
  readonly rules: readonly string[];
  readonly accused: string;
  readonly now: string;
  readonly revision: string;
}

interface Decision {
  readonly rule: string;
  readonly decision: string;
}

/** The page about the results of real peers, made of the data in `docs/conformance/`. */
export function conformanceReport(): string {
  const notes = conformanceNotes();
  const runs = readdirSync(join(folder, "runs"))
    .sort()
    .map((file): NotedRun => {
      const name = file.replace(/\.json$/, "");
      return { ...dataIn<ConformanceRun>(`runs/${file}`), about: notes[name] ?? {} };
    });
  const corrections = dataIn<readonly Correction[]>("corrections.json");
  const decisions = dataIn<readonly Decision[]>("decisions.json");
  return [
    head,
    ...section(
      "Agents",
      runs.filter(({ role }) => role === "agent"),
    ),
    ...section(
      "Servers of agents",
      runs.filter(({ role }) => role === "server"),
    ),
    ...section(
      "Clients",
      runs.filter(({ role }) => role === "client"),
    ),
    "## What was taken back",
    "",
    "Every accusation of these runs was checked by hand, against the messages and the specification. These were wrong:",
    "",
    table(
      ["rule", "what was accused", "now", "rules"],
      corrections.map(({ rules, accused, now, revision }) => [rules.join(", "), accused, now, revision]),
    ),
    "",
    "Where the specification can be read in two ways:",
    "",
    table(
      ["rule", "decision"],
      decisions.map(({ rule, decision }) => [rule, decision]),
    ),
    "",
    foot,
  ].join("\n");
}

const head = `<!-- Made by \`pnpm --filter @acp-kit/docs-tests conformance-report\` from docs/conformance/. Change the data, not this page. -->

# What the conformance tests found

Runs of \`acp-kit conformance\` against existing agents, clients and servers. How to run them on yours: [\`@acp-kit/conformance\`](../packages/conformance/README.md).
Rules are cited by the ids of that package's requirements.

## How to read it

✗ is a MUST that was broken, ! is advice: what only a \`SHOULD\`, a page that shows it, an RFD or an inference of ours says. Advice makes no peer non-conformant.
*Rules* is the revision of the rules that a run was made with, with the version of the kit. A rule that was skipped or not tested says nothing about
the peer, and a check reads only the messages that its scenario causes.

## How to contest a finding

[Open an issue](https://github.com/acp-kit/acp-kit/issues/new?template=conformance.yml) with the JSON report, which names the versions of kit, rules and schema, or with the
script that \`--repro\` wrote. A finding that does not stand is listed under [what was taken back](#what-was-taken-back), and gets a legal peer in the tests, so that it
does not come back.
`;

const foot = `## The data

Each run is a file in [\`docs/conformance/runs\`](conformance/runs), which a command writes; the files are not edited by hand. What a person adds is in [\`notes.json\`](conformance/notes.json).

| command | writes |
| --- | --- |
| \`pnpm --filter @acp-kit/docs-tests record-conformance [name…]\` | runs the kit on the peers, and writes their runs; third-party agents are taken from the folder in \`ACP_KIT_PEERS\` |
| \`pnpm --filter @acp-kit/docs-tests condense-run <report.json…>\` | the run of a JSON report, or of the reports of its parts |
| \`pnpm --filter @acp-kit/docs-tests conformance-report\` | this page |
`;

/** The notes on runs, by the name of the run. */
export function conformanceNotes(): Readonly<Record<string, RunNote>> {
  return dataIn("notes.json");
}

type NotedRun = ConformanceRun & { readonly about: RunNote };

function section(title: string, runs: readonly NotedRun[]): readonly string[] {
  if (runs.length === 0) return [];
  const broken = [...new Set(runs.flatMap((run) => run.broken.map(({ rule }) => rule)))].sort();
  const markOf = (run: NotedRun, rule: string): string => {
    const found = run.broken.find((each) => each.rule === rule);
    return found ? (found.weighs ? "✗" : "!") : "";
  };
  return [
    `## ${title}`,
    "",
    table(
      ["", "peer", "version", "date", "rules", "verdict", "faults", "passed", "skipped", "inconclusive"],
      runs.map((run, index) => [
        letter(index),
        run.peer,
        run.version,
        run.date,
        run.rules + (run.kit === undefined ? "" : `, kit ${run.kit}`),
        run.verdict,
        String(run.faults),
        String(run.passed),
        String(run.skipped),
        String(run.inconclusive),
      ]),
    ),
    "",
    ...(broken.length === 0
      ? []
      : [
          table(
            ["rule", ...runs.map((_, index) => letter(index))],
            broken.map((rule) => [rule, ...runs.map((run) => markOf(run, rule))]),
          ),
          "",
        ]),
    ...runs.flatMap((run, index) => details(run, letter(index))),
  ];
}

/** The notes and the decisive messages of one run. */
function details({ peer, version, about, reasons = [], findings = [] }: NotedRun, name: string): readonly string[] {
  const { note, rules = {} } = about;
  if (note === undefined && reasons.length === 0 && findings.length === 0) return [];
  return [
    `### ${name}: ${peer} ${version}`,
    "",
    ...(note === undefined ? [] : [note, ""]),
    ...(reasons.length === 0 ? [] : [`Inconclusive: ${reasons.join(" ")}`, ""]),
    ...findings.flatMap(({ rule, received, dialogue }) => [
      `${rule}: received ${received}`,
      "",
      ...(rules[rule] === undefined ? [] : [rules[rule], ""]),
      ...(dialogue.length === 0 ? [] : ["```", ...dialogue, "```", ""]),
    ]),
  ];
}

function letter(index: number): string {
  return String.fromCharCode(65 + index);
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(names), line(names.map(() => "---")), ...rows.map(line)].join("\n");
}

function dataIn<Value>(file: string): Value {
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as Value;
}

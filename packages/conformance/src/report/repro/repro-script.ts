import type { Dialogue, DialogueEntry } from "../../dialogue.js";
import { member } from "../../wire/values.js";
import { findingParts, ruleOf } from "../finding-parts.js";
import type { ConformanceReport, ReportFault } from "../report.js";
import { agentProgram } from "./agent-program.js";
import { clientProgram } from "./client-program.js";

type ReproEntry =
  | { readonly from: string; readonly message: unknown }
  | { readonly from: string; readonly raw: string }
  | { readonly event: string };

/** The events that a script repeats. All others only describe the dialogue. */
const repeated = ["its standard input is closed"];

/**
 * Returns a script for Node that reproduces a fault without the kit. For an agent, the script starts the agent, sends
 * the messages of the test up to the last one that the finding points to, and prints both directions. For a client, the
 * script is the agent that the client starts. Returns `undefined` for a fault of a server, and if the report has no
 * dialogue of the fault, because its finding is about several conversations.
 */
export function reproScript(report: ConformanceReport, fault: ReportFault): string | undefined {
  const dialogue = dialogueOf(report, fault);
  if (!dialogue) return undefined;
  const { where } = fault.finding;
  const last = where && where.seqs.length > 0 ? Math.max(...where.seqs) : Number.POSITIVE_INFINITY;
  const shown = dialogue.entries.filter(({ seq }) => seq <= last);
  const entries = shown.flatMap((entry) => reproEntry(entry, report.role));
  if (entries.some((entry) => "message" in entry && isOfTransport(entry.message))) return undefined;
  const [program, usage] = report.role === "agent" ? [agentProgram, agentUsage] : [clientProgram, clientUsage];
  return `${comment(fault, usage(fault.id))}
const dialogue = ${JSON.stringify(entries, undefined, 1)};
${program}`;
}

/** Returns the dialogue that a fault's finding names. If it names none, returns the first dialogue of the scenario. */
function dialogueOf(report: ConformanceReport, fault: ReportFault): Dialogue | undefined {
  const dialogues = report.scenarios.find(({ id }) => id === fault.foundBy)?.dialogues ?? [];
  const { where } = fault.finding;
  return where ? dialogues.find(({ name }) => name === where.dialogue) : dialogues[0];
}

function comment({ id, finding }: ReportFault, usage: readonly string[]): string {
  const { text } = ruleOf(finding);
  const parts = findingParts(finding).map(({ label, text }) => `${label}: ${text}`);
  return [`${id}: ${finding.requirement}, ${text}`, ...parts, ...usage]
    .map((line) => `// ${line.replace(/\s+/g, " ")}`)
    .join("\n");
}

const agentUsage = (id: string): readonly string[] => [`Run it: node ${id}.mjs <agent command…>`];
const clientUsage = (id: string): readonly string[] => [
  `Run it: start your client with the agent command: node ${id}.mjs, and prompt it as the test did.`,
  `It writes both directions to ${id}.mjs.log and to its standard error.`,
];

function reproEntry(entry: DialogueEntry, role: string): ReproEntry[] {
  if ("message" in entry) return [{ from: entry.from, message: entry.message }];
  if ("raw" in entry) return entry.from === role ? [] : [{ from: entry.from, raw: entry.raw }];
  return repeated.includes(entry.event) ? [{ event: entry.event }] : [];
}

function isOfTransport(message: unknown): boolean {
  return member(message, "http") !== undefined || member(message, "frame") !== undefined;
}

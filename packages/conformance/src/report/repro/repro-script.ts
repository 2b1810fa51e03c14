import type { Dialogue, DialogueEntry } from "../../dialogue.js";
import { requirementOf } from "../../requirements/find-requirement.js";
import { citationOf } from "../../requirements/quotes.js";
import { remedies } from "../../requirements/remedies.js";
import { entryOf, member } from "../../wire/values.js";
import type { ConformanceReport, ReportFault } from "../report.js";
import { agentProgram } from "./agent-program.js";
import { clientProgram } from "./client-program.js";
import { remoteProgram } from "./remote-program.js";

type ReproEntry =
  | { readonly from: string; readonly message: unknown }
  | { readonly from: string; readonly raw: string }
  | { readonly event: string };

/** The events (entries that are not messages) that a script repeats. The script leaves out all other events, because they only describe the dialogue. */
const repeated = ["its standard input is closed"];

/**
 * Returns a script for Node that reproduces a fault without the kit. For an agent, the script starts the agent, sends the messages of the
 * test up to the last one that the finding points to, and prints both directions. For a client, the script is the agent that the client starts. For a server,
 * the script sends the test's requests to a URL. Returns `undefined` if the report has no dialogue of the fault, because its finding is
 * about several conversations.
 */
export function reproScript(report: ConformanceReport, fault: ReportFault): string | undefined {
  const dialogue = dialogueOf(report, fault);
  if (!dialogue) return undefined;
  const { where } = fault.finding;
  const last = where && where.seqs.length > 0 ? Math.max(...where.seqs) : Number.POSITIVE_INFINITY;
  const shown = dialogue.entries.filter(({ seq }) => seq <= last);
  const entries = shown.flatMap((entry) => reproEntry(entry, report.role));
  const isRemote = entries.some((entry) => "message" in entry && isOfTransport(entry.message));
  const program = isRemote ? remoteProgram : report.role === "agent" ? agentProgram : clientProgram;
  const usage = isRemote ? remoteUsage : report.role === "agent" ? agentUsage : clientUsage;
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
  const { requirement, explanation, sent, received } = finding;
  const { level, rule } = requirementOf(requirement);
  const citation = citationOf(requirement);
  const remedy = entryOf(remedies, requirement);
  const lines = [
    `${id}: ${requirement} (${level}): ${rule}`,
    ...(citation?.text === undefined ? [] : [`specification: “${citation.text}”`]),
    ...(citation ? [`see: ${citation.place}`] : []),
    `sent: ${sent}`,
    `received: ${received}`,
    `expected: ${explanation}`,
    ...(remedy === undefined ? [] : [`to do: ${remedy}`]),
    ...usage,
  ];
  return lines.map((line) => `// ${line.replace(/\s+/g, " ")}`).join("\n");
}

const agentUsage = (id: string): readonly string[] => [`Run it: node ${id}.mjs <agent command…>`];
const remoteUsage = (id: string): readonly string[] => [
  `Run it: node ${id}.mjs <url>. It sends the environment variable ACP_TOKEN as a bearer token.`,
];
const clientUsage = (id: string): readonly string[] => [
  `Run it: start your client with the agent command: node ${id}.mjs, and prompt it as the test did.`,
  `It writes both directions to ${id}.mjs.log and to its standard error.`,
];

function reproEntry(entry: DialogueEntry, role: string): ReproEntry[] {
  if ("message" in entry) return [{ from: entry.from, message: entry.message }];
  if ("raw" in entry) return entry.from === role ? [] : [{ from: entry.from, raw: entry.raw }];
  return repeated.includes(entry.event) ? [{ event: entry.event }] : [];
}

/** Returns whether an entry is an HTTP message or a WebSocket frame. */
function isOfTransport(message: unknown): boolean {
  return member(message, "http") !== undefined || member(message, "frame") !== undefined;
}

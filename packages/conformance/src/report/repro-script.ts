import type { DialogueEntry } from "../dialogue.js";
import { requirementOf } from "../requirements/find-requirement.js";
import type { ConformanceReport, ReportFault } from "./report.js";

type ReproEntry = { readonly from: string; readonly message?: unknown; readonly raw?: string };

/**
 * Returns a script for Node that reproduces a fault of an agent without the kit: it starts the agent, sends the messages of the test up to the decisive
 * message, and prints both directions. Returns `undefined` for faults of clients, and for faults whose dialogue is not in the report.
 */
export function reproScript(report: ConformanceReport, fault: ReportFault): string | undefined {
  const { where, requirement, explanation, sent, received } = fault.finding;
  if (report.role !== "agent" || !where) return undefined;
  const dialogues = report.scenarios.filter(({ id }) => fault.scenarios.includes(id)).flatMap((each) => each.dialogues);
  const dialogue = dialogues.find(({ name }) => name === where.dialogue);
  if (!dialogue) return undefined;
  const last = Math.max(...where.seqs, 0);
  const entries = dialogue.entries.flatMap((entry): ReproEntry[] => (entry.seq <= last ? reproEntry(entry) : []));
  const comment = [
    `${fault.id}: ${requirement} (${requirementOf(requirement).level})`,
    explanation,
    `sent: ${sent}`,
    `received: ${received}`,
    `Run it: node ${fault.id}.mjs <agent command…>`,
  ];
  return `${comment.map((line) => `// ${line.replace(/\s+/g, " ")}`).join("\n")}
const dialogue = ${JSON.stringify(entries, undefined, 1)};
${program}`;
}

function reproEntry(entry: DialogueEntry): ReproEntry[] {
  if ("message" in entry) return [{ from: entry.from, message: entry.message }];
  if ("raw" in entry && entry.from === "client") return [{ from: entry.from, raw: entry.raw }];
  return [];
}

/** The program of every script, which replays its dialogue. It needs only Node. */
const program = `
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";

const [command, ...args] = process.argv.slice(2);
if (!command) throw new Error("Which agent? node <this file> <agent command…>");
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
agent.on("error", (error) => { console.error(String(error)); process.exit(1); });
agent.stdin.on("error", () => {});
const arrived = [];
let rest = "";
let wake = () => {};
agent.stdout.setEncoding("utf8").on("data", (text) => {
  rest += text;
  for (let end = rest.indexOf("\\n"); end !== -1; end = rest.indexOf("\\n")) {
    const line = rest.slice(0, end);
    rest = rest.slice(end + 1);
    console.log("agent  →", line);
    try { arrived.push(JSON.parse(line)); } catch {}
  }
  wake();
});
agent.on("exit", () => wake());

const isRequest = (message) => message?.method !== undefined && message.id !== undefined;
const isResponse = (message) => message?.method === undefined && message?.id !== undefined;
/** Finds this run's counterpart of a recorded message: the response with the same id, or the n-th request of the same method. */
const counterpart = (message, before) => isResponse(message)
  ? arrived.find((each) => isResponse(each) && String(each.id) === String(message.id))
  : arrived.filter((each) => isRequest(each) && each.method === message.method)[before.filter((each) => isRequest(each) && each.method === message.method).length];
const until = (holds) => new Promise((resolve) => {
  const timer = setTimeout(resolve, 30_000);
  wake = () => { if (holds() || agent.exitCode !== null) { clearTimeout(timer); resolve(); } };
  wake();
});

const names = new Map(); // recorded session ids and request ids, and those of this run
const recorded = [];
for (const { from, message, raw } of dialogue) {
  if (from === "agent") {
    if (isRequest(message) || isResponse(message)) {
      await until(() => counterpart(message, recorded) !== undefined);
      const now = counterpart(message, recorded);
      const [before, after] = [message?.result?.sessionId, now?.result?.sessionId];
      if (before && after) names.set(JSON.stringify(before), JSON.stringify(after));
      if (isRequest(message) && now) names.set("request " + JSON.stringify(message.id), now.id);
    }
    recorded.push(message);
    continue;
  }
  let text = raw;
  if (raw === undefined) {
    const reply = isResponse(message) && names.has("request " + JSON.stringify(message.id));
    text = JSON.stringify(reply ? { ...message, id: names.get("request " + JSON.stringify(message.id)) } : message) + "\\n";
    for (const [before, after] of names) if (before.startsWith('"')) text = text.replaceAll(before, after);
    const cwd = message?.params?.cwd;
    if (typeof cwd === "string") try { mkdirSync(cwd, { recursive: true }); } catch {}
  }
  console.log("client →", text.trimEnd());
  agent.stdin.write(text);
}
await new Promise((resolve) => setTimeout(resolve, 1_000));
agent.kill();
`;

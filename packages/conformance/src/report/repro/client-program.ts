/**
 * The code of a script that reproduces a finding about a client. The script is an agent on stdio that sends the agent's
 * messages of the recorded dialogue. It needs only Node.
 */
export const clientProgram = `
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const log = fileURLToPath(import.meta.url) + ".log";
writeFileSync(log, "");
const print = (...words) => { const line = words.join(" ") + "\\n"; appendFileSync(log, line); process.stderr.write(line); };
const arrived = [];
let rest = "";
let isEnded = false;
let wake = () => {};
process.stdin.setEncoding("utf8").on("data", (text) => {
  rest += text;
  for (let end = rest.indexOf("\\n"); end !== -1; end = rest.indexOf("\\n")) {
    const line = rest.slice(0, end);
    rest = rest.slice(end + 1);
    print("client →", line);
    try { arrived.push(JSON.parse(line)); } catch {}
  }
  wake();
});
process.stdin.on("end", () => { print("the client ended the connection"); isEnded = true; wake(); });

const isRequest = (message) => message?.method !== undefined && message.id !== undefined;
const isResponse = (message) => message?.method === undefined && message?.id !== undefined;
const sameKind = (one, other) => one?.method === other?.method && isRequest(one) === isRequest(other);
/**
 * Finds this run's counterpart of a recorded message: the response with the same id, or the n-th message of the same
 * method.
 */
const counterpart = (message, before) => isResponse(message)
  ? arrived.find((each) => isResponse(each) && String(each.id) === String(message.id))
  : arrived.filter((each) => sameKind(each, message))[before.filter((each) => sameKind(each, message)).length];
const until = (holds) => new Promise((resolve) => {
  const timer = setTimeout(resolve, 30_000);
  wake = () => { if (holds() || isEnded) { clearTimeout(timer); resolve(); } };
  wake();
});

const ids = new Map(); // maps the recorded ids of the client's requests to those of this run
const folders = new Map(); // maps the recorded working directories to those of this run
const recorded = [];
for (const { from, message, raw } of dialogue) {
  if (from === "client") {
    await until(() => counterpart(message, recorded) !== undefined);
    const now = counterpart(message, recorded);
    if (isRequest(message) && now) ids.set(JSON.stringify(message.id), now.id);
    const [before, after] = [message?.params?.cwd, now?.params?.cwd];
    if (typeof before === "string" && typeof after === "string") folders.set(JSON.stringify(before).slice(1, -1), JSON.stringify(after).slice(1, -1));
    recorded.push(message);
    continue;
  }
  let text = raw;
  if (raw === undefined) {
    const isReply = isResponse(message) && ids.has(JSON.stringify(message.id));
    text = JSON.stringify(isReply ? { ...message, id: ids.get(JSON.stringify(message.id)) } : message) + "\\n";
    for (const [before, after] of folders) text = text.replaceAll(before, () => after);
    const path = JSON.parse(text)?.params?.path;
    if (typeof path === "string" && path.startsWith("/")) try { mkdirSync(dirname(path), { recursive: true }); } catch {}
  }
  print("agent  →", text.trimEnd());
  process.stdout.write(text);
}
setTimeout(() => process.exit(), 10_000).unref();
`;

/**
 * The code of a script that reproduces a finding about an agent. The script starts the agent and sends it the client's
 * messages of the recorded dialogue. It needs only Node.
 */
export const agentProgram = `
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

const [command, ...args] = process.argv.slice(2);
if (!command) throw new Error("No agent command was given. Usage: node <this file> <agent command…>");
const isWindows = process.platform === "win32";
// The agent gets a process group of its own, which the script ends as a whole: a wrapper such as npx leaves the agent
// itself as its child.
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], detached: !isWindows });
agent.on("error", (error) => { console.error(String(error)); process.exit(1); });
const end = () => {
  if (isWindows) spawnSync("taskkill", ["/pid", String(agent.pid), "/t", "/f"]);
  else try { process.kill(-agent.pid, "SIGKILL"); } catch {} // no process of the group is left
};
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => { end(); process.exit(1); });
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
agent.on("exit", (code, signal) => { console.log("the agent exited with", signal ?? code); wake(); });

const isRequest = (message) => message?.method !== undefined && message.id !== undefined;
const isResponse = (message) => message?.method === undefined && message?.id !== undefined;
/**
 * Finds this run's counterpart of a recorded message: the response with the same id, or the n-th request of the same
 * method.
 */
const counterpart = (message, before) => isResponse(message)
  ? arrived.find((each) => isResponse(each) && String(each.id) === String(message.id))
  : arrived.filter((each) => isRequest(each) && each.method === message.method)[before.filter((each) => isRequest(each) && each.method === message.method).length];
const until = (holds, ms) => new Promise((resolve) => {
  const timer = setTimeout(resolve, ms);
  wake = () => { if (holds() || agent.exitCode !== null) { clearTimeout(timer); resolve(); } };
  wake();
});

const names = new Map(); // maps recorded session ids and request ids to those of this run
const recorded = [];
const sent = [];
for (const { from, message, raw, event } of dialogue) {
  if (event !== undefined) {
    console.log("client · ends the agent's input");
    agent.stdin.end();
    await until(() => agent.exitCode !== null, 10_000);
    if (agent.exitCode === null && agent.signalCode === null) console.log("the agent is still running after 10 s");
    continue;
  }
  if (from === "agent") {
    if (isRequest(message) || isResponse(message)) {
      await until(() => counterpart(message, recorded) !== undefined, 30_000);
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
    for (const [before, after] of names) if (before.startsWith('"')) text = text.replaceAll(before, () => after);
    const cwd = message?.params?.cwd;
    if (typeof cwd === "string") try { mkdirSync(cwd, { recursive: true }); } catch {}
    if (isRequest(message)) sent.push(message);
  }
  console.log("client →", text.trimEnd());
  agent.stdin.write(text);
}
const open = sent.filter(({ id }) => !arrived.some((each) => isResponse(each) && String(each.id) === String(id)));
if (open.length > 0) await until(() => open.every((message) => counterpart(message, []) || arrived.some((each) => isResponse(each) && String(each.id) === String(message.id))), 10_000);
for (const { id, method } of open) {
  if (!arrived.some((each) => isResponse(each) && String(each.id) === String(id))) console.log("no response to", method, "with the id", id, "within 10 s");
}
await new Promise((resolve) => setTimeout(resolve, 1_000));
end();
process.exit(); // a child that left the group may still hold the agent's output open
`;

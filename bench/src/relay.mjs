// Measures relays between an agent's process and a receiver: `pnpm --filter @acp-kit/bench relay`, after a build.
// After initialize, an agent writes chunks as fast as it can; a relay process forwards them; this process receives and
// parses them. The goal of "text, bridge of equal versions" is at least 0.95 of the rate of "text", a bare relay
// (V2-REQ-30).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { bridgeTransports } from "@acp-kit/http";
import { createProxy, withProxies } from "@acp-kit/proxy";
import { nodeTransport } from "@acp-kit/stdio/node";
import { bridgeVersions } from "@acp-kit/v2/bridge";

const CHUNKS = 300_000;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const self = fileURLToPath(import.meta.url);
const info = { name: "bench", version: "1" };

/** The relays. Each gets the agent's process; the relay's own stdin and stdout lead to the receiver. */
const relays = {
  pipe: (agent) => {
    process.stdin.pipe(agent.stdin);
    agent.stdout.pipe(process.stdout);
  },
  text: (agent) => bridgeTransports(stdio(), transportOf(agent)),
  "text, bridge of equal versions": (agent) => bridgeTransports(stdio(), bridgeVersions(transportOf(agent))),
  "text, 1 empty proxy": (agent) => bridgeTransports(stdio(), withProxies(transportOf(agent), [createProxy({ info })])),
  "text, permissions intercepted": (agent) =>
    bridgeTransports(stdio(), withProxies(transportOf(agent), [intercepting("session/request_permission")])),
  "chunks intercepted": (agent) =>
    bridgeTransports(stdio(), withProxies(transportOf(agent), [intercepting("session/update")])),
  "parse and serialize": (agent) => bridgeTransports(stdio(), withoutText(transportOf(agent))),
};

function intercepting(method) {
  return createProxy({ info, fromAgent: { [method]: (_, next) => next() } });
}

const stdio = () => nodeTransport(process.stdin, process.stdout);
const transportOf = (agent) => nodeTransport(agent.stdout, agent.stdin);

/** A transport whose receiver takes no texts. */
function withoutText(transport) {
  const start = transport.start.bind(transport);
  transport.start = (receiver) => start({ ...receiver, text: undefined });
  return transport;
}

const [role, name] = process.argv.slice(2);
if (role === "agent") await emit();
else if (role === "relay") relay(name);
else await measure();

async function emit() {
  await once(process.stdin, "data");
  const result = { protocolVersion: 1, agentInfo: info };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\n`);
  const update = {
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: "The quick brown fox jumps." },
  };
  const params = { sessionId: "01981c30-3a2e-7c9b-8d45-0c2f4b8f6a11", update };
  const lines = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params })}\n`.repeat(100);
  for (let n = 0; n < CHUNKS; n += 100) if (!process.stdout.write(lines)) await once(process.stdout, "drain");
}

function relay(kind) {
  const agent = spawn(process.execPath, [self, "agent"], { stdio: ["pipe", "pipe", "inherit"] });
  relays[kind](agent);
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    process.stderr.write(`${user + system}\n`);
  });
}

/** Returns the time of a run and the CPU time of its relay, in microseconds. */
async function run(kind, parses) {
  const child = spawn(process.execPath, [self, "relay", kind], { stdio: ["pipe", "pipe", "pipe"] });
  let cpu = "";
  child.stderr.on("data", (data) => {
    cpu += data;
  });
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  let count = parses ? 0 : -1; // without the response
  let begin;
  let rest = "";
  for await (const data of child.stdout.setEncoding("utf8")) {
    begin ??= process.hrtime.bigint();
    const lines = (rest + data).split("\n");
    rest = lines.pop();
    for (const line of lines) if (!parses || JSON.parse(line).method === "session/update") count += 1;
    if (count === CHUNKS) break;
  }
  const time = Number(process.hrtime.bigint() - begin) / 1_000;
  child.stdin.end();
  await once(child, "close");
  if (count !== CHUNKS) throw new Error(`${kind}: ${count} of ${CHUNKS} chunks arrived`);
  return { time, cpu: Number(cpu) };
}

async function measure() {
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  for (const parses of [true, false]) {
    const results = new Map(Object.keys(relays).map((kind) => [kind, []]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [kind, runs] of results) runs.push(await run(kind, parses));
    console.log(parses ? "The receiver parses:" : "\nThe receiver does not parse:");
    const timeOf = (kind) => median(results.get(kind).map(({ time }) => time));
    const pipe = timeOf("pipe");
    const bare = timeOf("text");
    for (const [kind, runs] of results) {
      const time = median(runs.map((each) => each.time));
      const cpu = median(runs.map((each) => each.cpu));
      const perSecond = Math.round(CHUNKS / (time / 1e6)).toLocaleString("en");
      console.log(
        `${kind}: ${perSecond} chunks/s, ${(pipe / time).toFixed(2)} of the pipe, ${(bare / time).toFixed(2)} of text, ${(cpu / CHUNKS).toFixed(2)} µs CPU`,
      );
    }
  }
}

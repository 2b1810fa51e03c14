// Runs the same job on a command, on a gateway over HTTP, and on a gateway over WebSocket.
import assert from "node:assert/strict";
import { everythingAgentCommand } from "@acp-kit/everything-agent/node";
import { createGateway, memoryEngine } from "@acp-kit/gateway";
import { serveGateway } from "@acp-kit/gateway/node";
import { tokenAuthentication } from "@acp-kit/http";
import { spawnAgent } from "@acp-kit/stdio/node";
import { Job, type Runner } from "./orchestrator.js";

const local = everythingAgentCommand(["--pace", "0"]);
const token = "secret";
const gateway = await createGateway({ engine: memoryEngine(), start: () => spawnAgent(local) });
const server = await serveGateway(gateway, { authenticate: tokenAuthentication(token) });
const runners: Record<string, Runner> = {
  local,
  http: { url: server.url, token },
  webSocket: { url: server.webSocketUrl, token },
};
const logs = new Map<string, string[]>();
for (const [name, runner] of Object.entries(runners)) {
  const log: string[] = [];
  logs.set(name, log);
  const events = {
    onLog: (line: string) => {
      log.push(line);
      if (line === "tool: Take my time") job.stopTurn();
    },
    onQuestion: ({ title, decide }: { title: string; decide: (allowed: boolean) => void }) => {
      log.push(`question: ${title}`);
      decide(true);
    },
  };
  const job: Job = new Job(runner, process.cwd(), events);
  await job.start();
  log.push((await job.prompt("/plan")).stopReason);
  log.push((await job.prompt("/permission")).text);
  log.push((await job.prompt("Read this", ["/specs/one.md"])).text);
  log.push((await job.prompt("/slow 60")).stopReason);
  await job.stop();
  if (name === "local") continue;

  // Behind a gateway, a job can be continued even if the agent can't load sessions.
  const again = new Job(runner, process.cwd(), events);
  await again.start(job.sessionId);
  assert.match((await again.prompt("/echo back")).text, /back/);
  await again.stop();
}
const [first = [], ...others] = logs.values();
assert.ok(first.includes("cancelled") && first.some((line) => line.startsWith("question: ")));
for (const log of others) assert.deepEqual(log.slice(0, first.length), first);
await server.close();
await gateway.close();
console.log("ok");

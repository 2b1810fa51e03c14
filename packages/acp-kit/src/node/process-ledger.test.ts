import type { AgentLedger, ReapedAgent } from "@acp-kit/stdio/node";
import { expect, it } from "vitest";
import type { Log } from "./log.js";
import { reapAgents } from "./process-ledger.js";

async function logged(reap: () => Promise<ReapedAgent[]>): Promise<string[]> {
  const lines: string[] = [];
  const add = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const log = { level: "debug", error: add("error"), warn: add("warn"), info: add("info"), debug: add("debug") } as Log;
  await reapAgents({ reap } as AgentLedger, log);
  return lines;
}

it("warns of processes that an agent of a killed run has left, and that still run", async () => {
  const detachedProcesses = [
    { pid: 7, command: "sleep", ended: false },
    { pid: 8, command: "gone", ended: true },
  ];
  const lines = await logged(async () => [{ pid: 7, command: "agent\u001b[2J", detachedProcesses }]);
  expect(lines).toEqual([
    'debug: ended what an earlier run of acp-kit, which was killed, had left of the agent "agent"',
    "warn: an earlier run of acp-kit was killed. The agent left a process running: sleep (pid 7)",
  ]);
});

it("does not fail the command if the ledger can't be read", async () => {
  expect(await logged(() => Promise.reject(new Error("no folder")))).toEqual([]);
});

import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Dialogue } from "../../test/dialogue.js";
import { livingIn, openDescriptors } from "../../test/processes.js";
import type { AgentProcess } from "./agent-process.js";
import { spawnAgent } from "./spawn-agent.js";

const fixture = fileURLToPath(new URL("../../test/fixtures/agent.mjs", import.meta.url));

/**
 * One life of an agent: start, one exchange and end, each time in another way. `cat` is an agent that echoes its input.
 */
async function live(number: number): Promise<AgentProcess> {
  const patience = { exitGraceMs: 1_000 };
  if (number % 20 === 0) {
    const agent = spawnAgent({ command: "no-such-agent", ...patience });
    await new Dialogue(agent).failure();
    return agent;
  }
  if (number % 10 === 0) {
    const agent = spawnAgent({ command: process.execPath, args: [fixture, "--tree"], ...patience });
    const dialogue = new Dialogue(agent);
    await dialogue.request("echo", number);
    if (number % 30 === 0) dialogue.notify("kill", { signal: "SIGKILL" });
    else void agent.close();
    return agent;
  }
  const controller = new AbortController();
  const agent = spawnAgent({ command: "cat", signal: controller.signal, onStderr: () => {}, ...patience });
  const dialogue = new Dialogue(agent);
  dialogue.notify("hello", { text: "x".repeat(number * 100) });
  await dialogue.receiver.until(({ messages }) => messages.length === 1);
  if (number % 3 === 0) controller.abort();
  else void agent.close();
  return agent;
}

it("200 agents, started and ended, leave no descriptor, no listener and no process", async () => {
  const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
  await (await live(1)).exited; // resources that the runtime keeps from its first child on
  const before = { descriptors: openDescriptors(), listeners: listeners() };
  const pids: number[] = [];
  for (let batch = 0; batch < 20; batch += 1) {
    const agents = await Promise.all(Array.from({ length: 10 }, (_, index) => live(batch * 10 + index)));
    for (const agent of agents) {
      await agent.exited;
      if (agent.pid !== undefined) pids.push(agent.pid);
    }
  }
  expect(pids).toHaveLength(190);
  expect(livingIn(...pids)).toEqual([]);
  expect(listeners()).toEqual(before.listeners);
  expect(openDescriptors()).toBeLessThanOrEqual(before.descriptors);
}, 120_000);

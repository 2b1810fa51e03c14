import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildSources } from "../../test/build-sources.js";
import { Dialogue } from "../../test/dialogue.js";
import { eventually, isRunning, livingIn } from "../../test/processes.js";
import { createLedger } from "./ledger.js";
import { processRow } from "./process-table.js";
import { spawnAgent } from "./spawn-agent.js";

let directory: string;
let ledger: string;
const groups: number[] = [];
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-reaper-"));
  buildSources(directory);
});
beforeEach(() => {
  ledger = mkdtempSync(join(directory, "ledger-"));
});
afterEach(() => {
  for (const group of groups.splice(0)) {
    const left = livingIn(group);
    if (left.length > 0) process.kill(-group, "SIGKILL");
    expect(left).toEqual([]);
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Starts a host and waits until its agent answers; `agent` is the pid of the agent and of its group. */
async function startHost(
  how: string,
  withLedger = false,
): Promise<{ host: ChildProcess; agent: number; exit: Promise<unknown[]> }> {
  const args = [join(directory, "host.mjs"), how, ...(withLedger ? [ledger] : [])];
  const host = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const exit = once(host, "exit");
  const [text] = (await once(host.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const agent = Number(text.toString());
  groups.push(agent);
  return { host, agent, exit };
}

describe("the end of the host", () => {
  it.each([
    ["exits", 7],
    ["throws", 1],
  ])("takes the agents' trees with it when it %s", async (how, code) => {
    const { agent, exit } = await startHost(how);
    expect(await exit).toEqual([code, null]);
    await eventually(() => livingIn(agent).length === 0);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "takes them when %s ends it, and ends as it would have",
    async (signal) => {
      const { host, agent, exit } = await startHost("waits");
      await eventually(() => livingIn(agent).length > 5);
      host.kill(signal);
      expect(await exit).toEqual([null, signal]);
      await eventually(() => livingIn(agent).length === 0);
    },
  );

  it("leaves signals that it handles itself to it", async () => {
    const { host, agent, exit } = await startHost("handles-sigint");
    host.kill("SIGINT");
    expect(await exit).toEqual([42, null]);
    await eventually(() => livingIn(agent).length === 0);
  });

  it("leaves no handler behind once the agents are gone", async () => {
    const counts = () => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((event) => process.listenerCount(event));
    const before = counts();
    const agents = Array.from({ length: 15 }, () => spawnAgent({ command: "sleep", args: ["1000"], exitGraceMs: 0 }));
    expect(counts()).toEqual(before.map((count) => count + 1));
    await Promise.all(agents.map((agent) => agent.close()));
    expect(counts()).toEqual(before);
  });
});

describe("the ledger", () => {
  it("lets the next start end what a killed host left behind", async () => {
    const { host, agent, exit } = await startHost("waits", true);
    host.kill("SIGKILL");
    await exit;
    await eventually(() => livingIn(agent).length > 5);
    expect(await createLedger(ledger).reap()).toEqual([{ pid: agent, command: process.execPath }]);
    expect(livingIn(agent)).toEqual([]);
    expect(readdirSync(ledger)).toEqual([]);
    expect(await createLedger(ledger).reap()).toEqual([]);
  });

  it("does so also when only the agent's children are left", async () => {
    const { host, agent, exit } = await startHost("waits", true);
    host.kill("SIGKILL");
    await exit;
    process.kill(agent, "SIGKILL");
    await eventually(() => !isRunning(agent));
    await eventually(() => livingIn(agent).length > 3);
    expect(await createLedger(ledger).reap()).toEqual([{ pid: agent, command: process.execPath }]);
    expect(livingIn(agent)).toEqual([]);
  });

  it("does so by itself when the next agent starts", async () => {
    const { host, agent, exit } = await startHost("waits", true);
    host.kill("SIGKILL");
    await exit;
    await using next = spawnAgent({ command: "cat", ledger: createLedger(ledger) });
    await eventually(() => livingIn(agent).length === 0);
    await eventually(() => readdirSync(ledger).length === 1);
    expect(readdirSync(ledger)[0]).toMatch(new RegExp(`^${next.pid}-.*\\.json$`));
  });

  it("leaves the agents of hosts that live alone, however many share it", async () => {
    const [first, second] = await Promise.all([startHost("waits", true), startHost("waits", true)]);
    await using own = spawnAgent({ command: "cat", ledger: createLedger(ledger) });
    expect(readdirSync(ledger)).toHaveLength(3);
    expect((await Promise.all([createLedger(ledger).reap(), createLedger(ledger).reap()])).flat()).toEqual([]);
    expect(isRunning(own.pid ?? 0)).toBe(true);
    first.host.kill("SIGKILL");
    await first.exit;
    await Promise.all([createLedger(ledger).reap(), createLedger(ledger).reap()]);
    expect(livingIn(first.agent)).toEqual([]);
    await eventually(() => livingIn(second.agent).length > 5);
    second.host.kill("SIGTERM");
    await second.exit;
    await eventually(() => livingIn(second.agent).length === 0);
  });

  it("forgets an agent that ended, by itself or closed", async () => {
    const closed = spawnAgent({ command: "cat", ledger: createLedger(ledger) });
    const crashed = spawnAgent({ command: "false", ledger: createLedger(ledger) });
    expect(readdirSync(ledger)).toHaveLength(2);
    await Promise.all([closed.close(), crashed.exited]);
    expect(readdirSync(ledger)).toEqual([]);
  });

  it("never ends a stranger that got the number of a dead agent", async () => {
    const stranger = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    const pid = stranger.pid ?? 0;
    groups.push(pid);
    const entry = {
      version: 1,
      pid,
      startTime: `${processRow(pid)?.startTime}9`,
      command: "agent",
      mark: "nobody's",
      host: { pid: 2 ** 22 + 1, startTime: "1" },
    };
    writeFileSync(join(ledger, `${pid}-x.json`), JSON.stringify(entry));
    expect(await createLedger(ledger).reap()).toEqual([]);
    expect(isRunning(pid)).toBe(true);
    expect(readdirSync(ledger)).toEqual([]);
    stranger.kill("SIGKILL");
    await once(stranger, "exit");
  });

  it("leaves files alone that are not its own, and a directory that doesn't exist", async () => {
    writeFileSync(join(ledger, "notes.txt"), "mine");
    writeFileSync(join(ledger, "broken.json"), "{");
    writeFileSync(join(ledger, "other.json"), '{"version":1,"pid":-1,"startTime":"","host":{}}');
    expect(await createLedger(ledger).reap()).toEqual([]);
    expect(readdirSync(ledger).sort()).toEqual(["broken.json", "notes.txt", "other.json"]);
    expect(await createLedger(join(ledger, "none")).reap()).toEqual([]);
  });

  it("fails the start when it can't be written: whoever asked for it relies on it", async () => {
    const file = join(ledger, "file");
    writeFileSync(file, "");
    const agent = spawnAgent({ command: "cat", ledger: createLedger(file) });
    expect(await new Dialogue(agent).failure()).toMatchObject({
      code: "spawn_failed",
      message: expect.stringContaining(file),
      cause: { code: "EEXIST" },
    });
    const locked = join(ledger, "locked");
    mkdirSync(locked);
    const gone = spawnAgent({ command: "cat", ledger: createLedger(locked) });
    rmSync(locked, { recursive: true });
    await gone.close();
  });
});

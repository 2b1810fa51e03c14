import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildSources } from "../../test/build-sources.js";
import { Dialogue } from "../../test/dialogue.js";
import { eventually, isRunning, livingIn, runningWith } from "../../test/processes.js";
import { createLedger } from "./ledger.js";
import { readEntry } from "./ledger-entry.js";
import { createMark, markedProcesses } from "./process-marks.js";
import { currentScope } from "./process-scope.js";
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

/** Starts a host and waits until its agent responds; `agent` is the pid of the agent and of its group. */
async function startHost(
  how: string,
  withLedger = false,
  flags: readonly string[] = [],
): Promise<{ host: ChildProcess; agent: number; exit: Promise<unknown[]> }> {
  const args = [join(directory, "host.mjs"), how, ...(withLedger ? [ledger, ...flags] : [])];
  const host = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const exit = once(host, "exit");
  const [text] = (await once(host.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const agent = Number(text.toString());
  groups.push(agent);
  return { host, agent, exit };
}

const UNSHARE = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Whether a test can create a PID namespace on this system. */
function canUnshare(): boolean {
  try {
    execFileSync("unshare", [...UNSHARE, "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A ledger entry of a host that has ended. */
function writeEntry(changes: object, agent?: { pid: number; startTime: string }): string {
  const mark = createMark();
  const host = { pid: 2 ** 22 + 1, startTime: "1" };
  const base = { version: 2, command: "agent", mark, detachedProcesses: "report", host, plannedAt: 0 };
  const lines = [{ ...base, scope: currentScope(), ...changes }, ...(agent === undefined ? [] : [agent])];
  const file = join(ledger, `${mark}.agent`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

/** Returns the entries of the ledger. */
function entries(): unknown[] {
  return readdirSync(ledger).map((name) => {
    const [planned = "", agent = ""] = readFileSync(join(ledger, name), "utf8").split("\n");
    return { ...JSON.parse(planned), agent: agent === "" ? undefined : JSON.parse(agent) };
  });
}

/** Moves the timestamps of the ledger's entries an hour back. */
function makeOld(): void {
  for (const name of readdirSync(ledger)) {
    const file = join(ledger, name);
    writeFileSync(file, readFileSync(file, "utf8").replace(/"plannedAt":\d+/, '"plannedAt":0'));
    utimesSync(file, 0, 0);
  }
}

describe("the end of the host", () => {
  it.each([
    ["exits", 7],
    ["throws", 1],
  ])("ends the agents' process groups when it %s", async (how, code) => {
    const { agent, exit } = await startHost(how);
    expect(await exit).toEqual([code, null]);
    await eventually(() => livingIn(agent).length === 0);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends them when %s ends it, and exits as it would have without them",
    async (signal) => {
      const { host, agent, exit } = await startHost("waits");
      await eventually(() => livingIn(agent).length > 5);
      host.kill(signal);
      expect(await exit).toEqual([null, signal]);
      await eventually(() => livingIn(agent).length === 0);
    },
  );

  it("leaves signals with a handler of its own alone", async () => {
    const { host, agent, exit } = await startHost("handles-sigint");
    host.kill("SIGINT");
    expect(await exit).toEqual([42, null]);
    await eventually(() => livingIn(agent).length === 0);
  });

  it("leaves no handler behind once the agents have ended", async () => {
    const counts = () => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((event) => process.listenerCount(event));
    const before = counts();
    const agents = Array.from({ length: 15 }, () => spawnAgent({ command: "sleep", args: ["1000"], exitGraceMs: 0 }));
    expect(counts()).toEqual(before.map((count) => count + 1));
    await Promise.all(agents.map((agent) => agent.close()));
    expect(counts()).toEqual(before);
  });
});

describe("the ledger", () => {
  it("lets the next start end the agents of an application that was killed", async () => {
    const { host, agent, exit } = await startHost("waits", true);
    host.kill("SIGKILL");
    await exit;
    await eventually(() => livingIn(agent).length > 5);
    expect(await createLedger(ledger).reap()).toEqual([
      { pid: agent, command: process.execPath, detachedProcesses: [] },
    ]);
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
    expect(await createLedger(ledger).reap()).toEqual([
      { pid: agent, command: process.execPath, detachedProcesses: [] },
    ]);
    expect(livingIn(agent)).toEqual([]);
  });

  it("does so by itself when the next agent starts", async () => {
    const { host, agent, exit } = await startHost("waits", true);
    host.kill("SIGKILL");
    await exit;
    await using next = spawnAgent({ command: "cat", ledger: createLedger(ledger) });
    await eventually(() => livingIn(agent).length === 0);
    await eventually(() => readdirSync(ledger).length === 1);
    expect(entries()).toMatchObject([{ agent: { pid: next.pid } }]);
  });

  it("leaves the agents of running hosts alone, however many share it", async () => {
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

  it("removes an agent that ended by itself or was closed", async () => {
    const closed = spawnAgent({ command: "cat", ledger: createLedger(ledger) });
    const crashed = spawnAgent({ command: "false", ledger: createLedger(ledger) });
    expect(readdirSync(ledger)).toHaveLength(2);
    await Promise.all([closed.close(), crashed.exited]);
    expect(readdirSync(ledger)).toEqual([]);
  });

  it("never ends an unrelated process that got the pid of a dead agent", async () => {
    const unrelated = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    const pid = unrelated.pid ?? 0;
    groups.push(pid);
    writeEntry({}, { pid, startTime: `${processRow(pid)?.startTime}9` });
    expect(await createLedger(ledger).reap()).toEqual([]);
    expect(isRunning(pid)).toBe(true);
    expect(readdirSync(ledger)).toEqual([]);
    unrelated.kill("SIGKILL");
    await once(unrelated, "exit");
  });

  it("ignores files of other programs, and a directory that doesn't exist", async () => {
    const mark = createMark();
    const files = {
      "notes.txt": "mine",
      "broken.json": "{",
      [`${mark}.json`]: "{}",
      [`${mark}.agent`]: '{"version":3,"format":"of the future"}\n',
      [`${mark.replace(/./, "0")}.agent`]: "null\n",
      [`${mark.replace(/./, "1")}.agent`]: '{"version":2,"mark":"m","host":{"pid":-1,"startTime":""}}\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(ledger, name), text);
    expect(await createLedger(ledger).reap()).toEqual([]);
    expect(readdirSync(ledger).sort()).toEqual(Object.keys(files).sort());
    expect(await createLedger(join(ledger, "none")).reap()).toEqual([]);
  });

  it("fails the start when it can't be written: the caller relies on it", async () => {
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

describe("a host that is killed while it starts an agent", () => {
  /** Runs a host that is killed at a step, and reaps. Returns whether that step exists. */
  async function killAt(step: number): Promise<boolean> {
    const tag = `--tag=${createMark()}`;
    const host = spawn(process.execPath, [join(directory, "killed-host.mjs"), String(step), ledger, tag], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(host, "exit");
    const started = await Promise.race([once(host.stdout, "data").then(() => true), exit.then(() => false)]);
    host.kill("SIGKILL");
    expect(await exit).toEqual([null, "SIGKILL"]);
    await createLedger(ledger).reap();
    expect(runningWith(tag), `agents left after a kill at step ${step}`).toEqual([]);
    makeOld();
    await createLedger(ledger).reap();
    expect(readdirSync(ledger), `files left after a kill at step ${step}`).toEqual([]);
    return !started;
  }

  it("leak.killed-host: leaves no process that `reap` doesn't find, at whichever step it is killed", async () => {
    let steps = 0;
    while (await killAt(steps + 1)) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(8); // before and after: the directory, the plan, the start, the record
  });

  it("leaves no process that `reap` doesn't find, at whichever moment it is killed", async () => {
    for (let round = 0; round < 12; round += 1) {
      const tag = `--tag=${createMark()}`;
      const host = spawn(process.execPath, [join(directory, "killed-host.mjs"), "0", ledger, tag], { stdio: "ignore" });
      const exit = once(host, "exit");
      await eventually(() => readdirSync(ledger).length > 0);
      for (let turn = 0; turn < round ** 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      host.kill("SIGKILL");
      await exit;
      await createLedger(ledger).reap();
      expect(runningWith(tag), `agents left after kill ${round}`).toEqual([]);
      makeOld();
      await createLedger(ledger).reap();
      expect(readdirSync(ledger)).toEqual([]);
    }
  });

  it("leaves an incomplete file when it was killed in the middle of writing, which is removed later", async () => {
    const file = writeEntry({});
    writeFileSync(file, readFileSync(file, "utf8").slice(0, 40));
    await createLedger(ledger).reap();
    expect(readdirSync(ledger)).toHaveLength(1); // its host may be writing now
    makeOld();
    await createLedger(ledger).reap();
    expect(readdirSync(ledger)).toEqual([]);
  });

  it("leaves an agent whose process was recorded in part: it is found by its mark", async () => {
    const { host, agent, exit } = await startHost("waits", true);
    host.kill("SIGKILL");
    await exit;
    const [name = ""] = readdirSync(ledger);
    const file = join(ledger, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.slice(0, -10));
    expect(await createLedger(ledger).reap()).toMatchObject([{ pid: agent }]);
    expect(livingIn(agent)).toEqual([]);
  });
});

describe("a descendant that can't be recognized by its environment", () => {
  it("leak.whole-group: is ended with the group of its agent, though the agent has ended", async () => {
    const { host, agent, exit } = await startHost("waits", true, ["--bare"]);
    const bare = (): number[] => livingIn(agent).filter((pid) => !markedPids().includes(pid));
    const { mark } = entries()[0] as { mark: string };
    const markedPids = (): number[] => markedProcesses(mark).map(({ pid }) => pid);
    await eventually(() => bare().length === 1);
    host.kill("SIGKILL");
    await exit;
    for (const pid of markedPids()) process.kill(pid, "SIGKILL");
    await eventually(() => livingIn(agent).length === 1);
    expect(await createLedger(ledger).reap()).toMatchObject([{ pid: agent }]);
    expect(livingIn(agent)).toEqual([]);
    expect(readdirSync(ledger)).toEqual([]);
  });
});

describe("a descendant in a session of its own", () => {
  it("is reported although the agent itself has ended with its host", async () => {
    const { host, agent, exit } = await startHost("waits", true, ["--daemon"]);
    const { mark } = entries()[0] as { mark: string };
    const detached = (): number[] => markedProcesses(mark).flatMap(({ pid, group }) => (group === agent ? [] : [pid]));
    await eventually(() => detached().length === 2);
    host.kill("SIGKILL");
    await exit;
    process.kill(-agent, "SIGKILL");
    await eventually(() => livingIn(agent).length === 0);
    const [reaped] = await createLedger(ledger).reap();
    expect(reaped?.detachedProcesses.map(({ pid, ended }) => [pid, ended])).toEqual(
      detached().map((pid) => [pid, false]),
    );
    expect(detached()).toHaveLength(2);
    for (const pid of detached()) process.kill(pid, "SIGKILL");
  });

  it.each([
    ["reported", [], false],
    ["ended by option", ["--end-detached"], true],
  ])("is %s by `reap`", async (_, flags, ended) => {
    const { host, agent, exit } = await startHost("waits", true, ["--daemon", ...flags]);
    const { mark } = entries()[0] as { mark: string };
    const detached = (): number[] => markedProcesses(mark).flatMap(({ pid, group }) => (group === agent ? [] : [pid]));
    await eventually(() => detached().length === 2);
    const pids = detached();
    host.kill("SIGKILL");
    await exit;
    const [reaped] = await createLedger(ledger).reap();
    expect(reaped?.pid).toBe(agent);
    expect(reaped?.detachedProcesses.find(({ command }) => command === "/bin/sh")).toMatchObject({ ended });
    expect(detached().sort()).toEqual(ended ? [] : pids.sort());
    for (const pid of detached()) process.kill(pid, "SIGKILL");
  });

  it("ends with the host by option, when the host exits", async () => {
    const { agent, exit, host } = await startHost("waits", true, ["--daemon", "--end-detached"]);
    const { mark } = entries()[0] as { mark: string };
    await eventually(() => markedProcesses(mark).filter(({ group }) => group !== agent).length === 2);
    host.kill("SIGTERM");
    await exit;
    await eventually(() => markedProcesses(mark).length === 0);
  });
});

describe("a ledger that is shared with other places", () => {
  it("leak.shared-ledger: keeps the entries of other PID namespaces, and removes those of earlier starts of the system", async () => {
    const scope = currentScope();
    const kept = writeEntry({ scope: { ...scope, namespace: "pid:[1]" } });
    const machine = writeEntry({ scope: { machine: "another", boot: "another", namespace: scope.namespace } });
    writeEntry({ scope: { ...scope, boot: "an earlier one" } });
    expect(await createLedger(ledger).reap()).toEqual([]);
    const left = scope.machine === "" ? [kept] : [kept, machine];
    expect(readdirSync(ledger).sort()).toEqual(left.map((file) => basename(file)).sort());
  });

  it.skipIf(!canUnshare())("is not touched by `reap` in a PID namespace of its own", async () => {
    const { host, agent, exit } = await startHost("waits", true);
    const before = entries();
    const args = [...UNSHARE, process.execPath, join(directory, "reap.mjs"), ledger];
    expect(execFileSync("unshare", args, { encoding: "utf8" })).toBe("[]");
    expect(entries()).toEqual(before);
    host.kill("SIGKILL");
    await exit;
    expect(await createLedger(ledger).reap()).toMatchObject([{ pid: agent }]);
  });

  it.skipIf(!canUnshare())("records a host that is the first process of its namespace, as in a container", async () => {
    const args = [...UNSHARE, process.execPath, join(directory, "killed-host.mjs"), "0", ledger, "tag"];
    const host = spawn("unshare", args, { stdio: ["ignore", "pipe", "ignore"] });
    const exit = once(host, "exit");
    await once(host.stdout, "data");
    expect(entries()).toMatchObject([{ host: { pid: 1 }, agent: { pid: expect.any(Number) } }]);
    expect(readEntry(join(ledger, readdirSync(ledger)[0] ?? ""))).toMatchObject({ name: "entry" });
    host.kill("SIGKILL");
    await exit;
  });
});

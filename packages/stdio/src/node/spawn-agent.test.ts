import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Dialogue } from "../../test/dialogue.js";
import { eventually, isRunning, livingIn, programOf } from "../../test/processes.js";
import { AgentProcess } from "./agent-process.js";
import type { DetachedProcess } from "./detached-processes.js";
import { isProcessError, ProcessError } from "./process-error.js";
import type { FixedProcessLimits } from "./process-limits.js";
import { spawnAgent } from "./spawn-agent.js";
import { type SpawnAgentOptions, spawnAgentDefaults } from "./spawn-options.js";

const fixture = fileURLToPath(new URL("../../test/fixtures/agent.mjs", import.meta.url));

let agents: AgentProcess[] = [];
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-spawn-"));
});
afterEach(async () => {
  for (const agent of agents) await agent.close();
  for (const { pid } of agents) if (pid !== undefined) expect(livingIn(pid)).toEqual([]);
  agents = [];
  rmSync(directory, { recursive: true });
});

/** Options of an agent, and limits that are no options. */
type AllOptions = Partial<SpawnAgentOptions & FixedProcessLimits>;

function start(flags: readonly string[] = [], options: AllOptions = {}): AgentProcess {
  const all = { command: process.execPath, args: [fixture, ...flags], exitGraceMs: 20_000, ...options };
  const agent = new AgentProcess(all, all);
  agents.push(agent);
  return agent;
}

function open(flags: readonly string[] = [], options: AllOptions = {}) {
  const agent = start(flags, options);
  return { agent, dialogue: new Dialogue(agent) };
}

/** Sends a request to an agent, and returns what the connection reports about it. */
async function failureOf(agent: AgentProcess): Promise<ProcessError> {
  const dialogue = new Dialogue(agent);
  dialogue.notify("echo");
  const error = await dialogue.failure();
  expect(isProcessError(error)).toBe(true);
  expect(dialogue.receiver.ends).toHaveLength(1);
  return error as ProcessError;
}

describe("spawnAgent", () => {
  it("exchanges messages with the process and ends it with `await using`", async () => {
    let pid: number | undefined;
    {
      await using agent = start();
      pid = agent.pid;
      const dialogue = new Dialogue(agent);
      expect(await dialogue.request("echo", { text: "é漢😀\u2028" })).toEqual({ text: "é漢😀\u2028" });
    }
    expect(livingIn(pid ?? 0)).toEqual([]);
    expect(await agents[0]?.exited).toMatchObject({
      exitCode: 0,
      signal: null,
      error: undefined,
      detachedProcesses: [],
    });
  });

  it("has no time limits if they are Infinity", async () => {
    const limitMs = Number.POSITIVE_INFINITY;
    const limits = { startTimeoutMs: limitMs, exitGraceMs: limitMs, termGraceMs: limitMs, outputGraceMs: limitMs };
    const { agent, dialogue } = open([], limits);
    expect(await dialogue.request("echo", 1)).toBe(1);
    await agent.close();
    expect(await agent.exited).toMatchObject({ exitCode: 0, signal: null, error: undefined });
  });

  it("reports that it was closed before it was connected", async () => {
    const agent = start();
    await agent.close();
    expect(await new Dialogue(agent).failure()).toEqual(new Error("The transport was closed before it was connected"));
  });

  it("reports banners on its output and continues", async () => {
    const { dialogue } = open(["--banner"]);
    expect(await dialogue.request("echo", 1)).toBe(1);
    expect(dialogue.receiver.malformedInputs.map(({ excerpt }) => excerpt)).toEqual([
      "Welcome to the agent!",
      "\u001b[1mversion 1\u001b[0m",
    ]);
  });

  it("starts the agent in the directory, with the variables it should see", async () => {
    const { dialogue } = open([], {
      cwd: directory,
      env: { OWN: "yes", HOME: undefined },
      inheritEnv: ["PATH", "HOME"],
    });
    expect(await dialogue.request("cwd")).toBe(directory);
    const env = await dialogue.request("env");
    expect(env).toEqual({ PATH: process.env.PATH, OWN: "yes", ACP_KIT_AGENT: expect.any(String) });
  });

  it("refuses invalid options before it starts anything", () => {
    expect(() => spawnAgent({ command: "" })).toThrow(TypeError);
    expect(() => spawnAgent({ command: "a\0b" })).toThrow(TypeError);
    const message = "spawnAgent.startTimeoutMs must be a number from 0 to Infinity, not NaN";
    expect(() => spawnAgent({ command: "a", startTimeoutMs: Number.NaN })).toThrow(new TypeError(message));
  });
});

describe("an agent that can't be started", () => {
  it("rejects with not_found, and lists the searched directories, if the command does not exist", async () => {
    const error = await failureOf(start([], { command: "no-such-agent", env: { PATH: `${directory}:/nowhere` } }));
    expect(error).toMatchObject({ code: "not_found", command: "no-such-agent", searched: [directory, "/nowhere"] });
    expect(error.message).toContain(`${directory}:/nowhere`);
    expect(await failureOf(start([], { command: join(directory, "none") }))).toMatchObject({ code: "not_found" });
    expect(await failureOf(start([], { command: "./none", cwd: directory }))).toMatchObject({ code: "not_found" });
  });

  it("rejects with not_executable if the file is a directory, has no interpreter, or may not be executed", async () => {
    const plain = join(directory, "plain");
    writeFileSync(plain, "#!/bin/sh\n", { mode: 0o644 });
    const folder = join(directory, "folder");
    mkdirSync(folder);
    const orphan = join(directory, "orphan");
    writeFileSync(orphan, "#!/no/such/interpreter\n");
    chmodSync(orphan, 0o755);
    for (const command of [plain, folder, orphan]) {
      const error = await failureOf(start([], { command }));
      expect(error).toMatchObject({ code: "not_executable", command });
      expect(error.message).toContain(command);
    }
    expect(await failureOf(start([], { command: "orphan", env: { PATH: directory } }))).toMatchObject({
      code: "not_executable",
      message: expect.stringContaining("interpreter"),
    });
  });

  it("rejects with bad_cwd if the working directory does not exist", async () => {
    const cwd = join(directory, "gone");
    expect(await failureOf(start([], { cwd }))).toMatchObject({
      code: "bad_cwd",
      message: expect.stringContaining(cwd),
    });
  });

  it("rejects with spawn_failed if the system refuses to start the command for another reason", async () => {
    const error = await failureOf(start([], { args: ["x".repeat(4_000_000)] }));
    expect(error).toMatchObject({ code: "spawn_failed", cause: { code: "E2BIG" } });
  });

  it("is closed like any other", async () => {
    const agent = start([], { command: "no-such-agent" });
    expect(agent.send({ jsonrpc: "2.0", method: "x" })).toBe(0);
    expect(agent.full).toBeUndefined();
    agent.pause();
    agent.resume();
    expect(await agent.exited).toMatchObject({ exitCode: null, error: { code: "not_found" } });
    await agent.close();
  });
});

describe("an agent that dies", () => {
  it("reports the exit code, the command and the end of standard error if the agent exits before its first message", async () => {
    const error = await failureOf(start(["--stderr=warming up|Error: no API key|", "--exit=3"]));
    expect(error).toMatchObject({ code: "exited", exitCode: 3, signal: null, command: process.execPath });
    expect(error.stderrTail).toBe("warming up\nError: no API key\n");
    expect(error.message).toBe(
      `The agent "${process.execPath}" exited with code 3 before its first message. It wrote to standard error: Error: no API key`,
    );
  });

  it("delivers all messages first if the agent exits after its last messages", async () => {
    const { agent, dialogue } = open();
    await dialogue.request("echo", 1);
    dialogue.notify("lastWords", { count: 5_000, code: 0 });
    const error = await dialogue.failure();
    expect(error).toMatchObject({ code: "exited", exitCode: 0 });
    expect((error as Error).message).not.toContain("before its first message");
    expect(dialogue.receiver.messages).toHaveLength(5_001);
    expect(await agent.exited).toMatchObject({ exitCode: 0, error });
  });

  it("after its last messages, also when reading was paused", async () => {
    const { dialogue, agent } = open([], { outputGraceMs: 20 });
    await dialogue.request("echo", 1);
    agent.pause();
    dialogue.notify("lastWords", { count: 100, code: 0 });
    await eventually(() => !isRunning(agent.pid ?? 0));
    agent.resume();
    await dialogue.failure();
    expect(dialogue.receiver.messages).toHaveLength(101);
  });

  it("reports the signal if the agent is killed in the middle of a request", async () => {
    for (const signal of ["SIGKILL", "SIGSEGV"]) {
      const { dialogue, agent } = open();
      await dialogue.request("echo", 1);
      dialogue.notify("kill", { signal });
      expect(await dialogue.failure()).toMatchObject({ code: "killed", signal, exitCode: null, pid: agent.pid });
    }
  });

  it("ends the children that the agent leaves, even if they hold its pipes", async () => {
    const { dialogue, agent } = open([], { outputGraceMs: 20, termGraceMs: 50 });
    await dialogue.request("tree", { children: 2, grandchildren: 2, holdPipes: true, ignoreSigterm: true });
    await eventually(() => livingIn(agent.pid ?? 0).length > 4);
    dialogue.notify("exit", { code: 7 });
    expect(await dialogue.failure()).toMatchObject({ code: "exited", exitCode: 7 });
    await agent.exited;
    expect(livingIn(agent.pid ?? 0)).toEqual([]);
  });

  it("is reported before the connection ever started", async () => {
    const agent = start(["--exit=9"]);
    await agent.exited;
    expect(await failureOf(agent)).toMatchObject({ code: "exited", exitCode: 9 });
  });
});

describe("an agent that runs, but misbehaves", () => {
  it("is ended after startTimeoutMs if it sends nothing", async () => {
    const agent = start(["--silent"], { startTimeoutMs: 30, exitGraceMs: 20 });
    expect(await failureOf(agent)).toMatchObject({ code: "silent", message: expect.stringContaining("30 ms") });
    expect((await agent.exited).error?.code).toBe("silent");
  });

  it("is not silent once it has sent something", async () => {
    const { dialogue } = open([], { startTimeoutMs: 5_000 });
    await dialogue.request("echo", 1);
    expect(dialogue.receiver.ends).toEqual([]);
  });

  it("is reported as closed_output if it closes its output but still runs", async () => {
    const { dialogue, agent } = open([], { outputGraceMs: 20, exitGraceMs: 20 });
    await dialogue.request("echo", 1);
    dialogue.notify("closeStdout");
    expect(await dialogue.failure()).toMatchObject({ code: "closed_output" });
    await agent.exited;
  });

  it("closes its input", async () => {
    const args = ["-c", "exec 0<&-; echo '{}'; sleep 1000"]; // Node can't close its own input for good
    const { dialogue, agent } = open([], { command: "/bin/sh", args, outputGraceMs: 20, exitGraceMs: 20 });
    await dialogue.receiver.until(({ messages }) => messages.length === 1);
    dialogue.notify("echo", "x".repeat(1_000_000));
    expect(await dialogue.failure()).toMatchObject({ code: "closed_input", cause: { code: "EPIPE" } });
    await agent.exited;
  });

  it("makes the sender wait, but not close(), if it never reads its input", async () => {
    const { dialogue, agent } = open([], { exitGraceMs: 20 });
    await dialogue.request("stopReading");
    let sent = 0;
    while (agent.full === undefined || sent < 1_000_000) {
      dialogue.notify("echo", "x".repeat(10_000));
      sent += 10_000;
    }
    expect(agent.full).toBeInstanceOf(Promise);
    await agent.close();
    expect(agent.full).toBeUndefined();
  });

  it("does not block if it floods its standard error, of which only the end is kept", async () => {
    const { dialogue, agent } = open([], { stderrTailBytes: 1_000 });
    await dialogue.request("flood", { bytes: 20_000_000 });
    await eventually(() => agent.stderrTail.endsWith("END\n"));
    expect(agent.stderrTail).toHaveLength(1_000);
  });

  it("offers its standard error line by line", async () => {
    const lines: string[] = [];
    const { dialogue } = open([], { onStderr: (line) => lines.push(line) });
    await dialogue.request("lines", { count: 1_000 });
    await dialogue.request("flood", { bytes: 100_000 });
    await eventually(() => lines.length === 1_001);
    expect(lines[999]).toBe("line 999");
    expect(lines[1_000]).toMatch(/^f{200} … \(a line over 65536 bytes, cut\)$/);
  });
});

describe("closing", () => {
  it("ends the input first and lets a well-behaved agent exit by itself", async () => {
    const { agent, dialogue } = open();
    await dialogue.request("echo", 1);
    expect(agent.close()).toBe(agent.close());
    await agent.close();
    expect(await agent.exited).toMatchObject({ exitCode: 0, signal: null, error: undefined, detachedProcesses: [] });
    expect(dialogue.receiver.ends).toEqual([]);
  });

  it("flushes queued messages before", async () => {
    const { agent, dialogue } = open();
    await dialogue.request("echo", 1);
    dialogue.notify("lines", { count: 3 });
    await agent.close();
    expect(agent.stderrTail).toBe("line 0\nline 1\nline 2\n");
  });

  it("sends SIGTERM to the whole process tree of an agent that ignores the end of its input", async () => {
    const { agent, dialogue } = open(["--ignore-eof", "--tree"], { exitGraceMs: 20 });
    await dialogue.request("echo", 1);
    await eventually(() => livingIn(agent.pid ?? 0).length > 5);
    await agent.close();
    expect(await agent.exited).toMatchObject({ signal: "SIGTERM" });
  });

  it("sends SIGKILL to the whole process tree of an agent that ignores SIGTERM", async () => {
    const { agent, dialogue } = open(["--ignore-eof", "--ignore-sigterm"], { exitGraceMs: 20, termGraceMs: 20 });
    await dialogue.request("tree", { children: 2, ignoreSigterm: true });
    await agent.close();
    expect(await agent.exited).toMatchObject({ signal: "SIGKILL", error: undefined });
  });

  it("ends the processes that a well-behaved agent leaves", async () => {
    const { agent, dialogue } = open([], { termGraceMs: 50 });
    await dialogue.request("tree", { children: 1, grandchildren: 1, ignoreSigterm: true, holdPipes: true });
    await agent.close();
    expect(await agent.exited).toMatchObject({ exitCode: 0 });
    expect(livingIn(agent.pid ?? 0)).toEqual([]);
  });

  it("ends the agent when the caller's signal aborts, with the signal's reason as cause", async () => {
    const controller = new AbortController();
    const { agent, dialogue } = open([], { signal: controller.signal });
    await dialogue.request("echo", 1);
    const reason = new Error("the window was closed");
    controller.abort(reason);
    expect(await dialogue.failure()).toMatchObject({ code: "aborted", cause: reason });
    expect(await agent.exited).toMatchObject({ exitCode: 0 });
    expect(start([], { signal: controller.signal }).pid).toBeUndefined();
  });

  it("can be done at any moment", async () => {
    for (let turns = 0; turns < 6; turns += 1) {
      const { agent, dialogue } = open();
      dialogue.notify("echo", turns);
      for (let turn = 0; turn < turns * 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await agent.close();
      expect(dialogue.receiver.ends).toEqual([]);
    }
  });
});

describe("a descendant in a session of its own", () => {
  const daemons: number[] = [];
  afterEach(() => {
    for (const pid of daemons.splice(0)) if (isRunning(pid)) process.kill(-pid, "SIGKILL");
  });

  async function withDaemon(options: Partial<SpawnAgentOptions>, params: unknown = {}) {
    const reported: (readonly DetachedProcess[])[] = [];
    const onDetachedProcesses = (processes: readonly DetachedProcess[]): void => void reported.push(processes);
    const { agent, dialogue } = open([], { onDetachedProcesses, ...options });
    const pid = (await dialogue.request("daemon", params)) as number;
    daemons.push(pid);
    // The shell, and the program that it started.
    await eventually(
      () => livingIn(pid).length === 2 && livingIn(pid).some((each) => programOf(each).endsWith("sleep")),
    );
    return { agent, pid, reported };
  }

  it("leak.detached: is reported with its pid and its program when the agent is closed, and keeps running", async () => {
    const { agent, pid, reported } = await withDaemon({});
    await agent.close();
    const shell = { pid, command: "/bin/sh", ended: false };
    expect(reported).toEqual([[shell, { pid: expect.any(Number), command: "sleep", ended: false }]]);
    expect((await agent.exited).detachedProcesses).toEqual(reported[0]);
    expect(JSON.stringify(reported)).not.toContain("secret");
    expect(livingIn(pid)).toHaveLength(2);
  });

  it("is reported as expected if the agent leaves it running on purpose, and is ended by option all the same", async () => {
    const { agent, pid, reported } = await withDaemon({ leavesBehind: ["sh"], detachedProcesses: "end" });
    await agent.close();
    expect(reported.flat().find((each) => each.pid === pid)).toMatchObject({ command: "/bin/sh", expected: true });
    expect(reported.flat().find(({ command }) => command === "sleep")).not.toHaveProperty("expected");
    expect(livingIn(pid)).toEqual([]);
  });

  it("leak.detached: is ended by option, also when it ignores SIGTERM", async () => {
    for (const ignoreSigterm of [false, true]) {
      const options = { detachedProcesses: "end", termGraceMs: 100 } as const;
      const { agent, pid, reported } = await withDaemon(options, { ignoreSigterm });
      await agent.close();
      expect(reported.flat().find((each) => each.pid === pid)).toEqual({ pid, command: "/bin/sh", ended: true });
      expect(livingIn(pid)).toEqual([]);
    }
  });

  it("is not reported when there is none, and a hook that throws or rejects changes nothing", async () => {
    const agent = start([], { onDetachedProcesses: () => expect.unreachable() });
    await agent.close();
    const hooks: (() => unknown)[] = [
      () => expect.unreachable(),
      () => Promise.reject(new Error("the hook has a bug")),
    ];
    for (const onDetachedProcesses of hooks) {
      const { agent: other } = await withDaemon({ onDetachedProcesses });
      await other.close();
      expect((await other.exited).detachedProcesses).toHaveLength(2);
    }
  });
});

it("has the defaults that it documents", () => {
  expect(spawnAgentDefaults).toEqual({ maxMessageBytes: 67_108_864, startTimeoutMs: 60_000, exitGraceMs: 2_000 });
});

it("marks its errors, so that they are recognised across copies of this package", () => {
  expect(isProcessError(new ProcessError("exited", "m", { command: "c" }))).toBe(true);
  expect(isProcessError(new Error("m"))).toBe(false);
});

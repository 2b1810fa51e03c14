import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Built, built } from "../../test/built.js";
import type { FaultPlan } from "../faults/fault-plan.js";
import { clientScript } from "../script/client-script.js";
import { faultyArguments, readFaultyArguments } from "./faulty-arguments.js";
import { spawnPeer } from "./spawn-peer.js";

let made: Built;
let kit: Awaited<ReturnType<Built["load"]>>;
beforeAll(async () => {
  made = await built();
  kit = await made.load();
});
afterAll(() => made[Symbol.dispose]());

/** A scripted client that has opened a session with a process. */
async function connected(command: { readonly command: string; readonly args: readonly string[] }) {
  const agent = spawnPeer(command);
  const client = clientScript().connect(agent);
  await client.initialize();
  await client.newSession();
  return { agent, client };
}

describe("an agent's script as a process", () => {
  it("runs, reserves its output for the protocol, and ends with its client", async () => {
    const { agent, client } = await connected(kit.scriptCommand(made.script("agent-script")));
    expect((await client.prompt("hello")).result).toEqual({ stopReason: "end_turn" });
    expect(client.receivedSoFar("session/update")).toHaveLength(1);
    await client.prompt("many");
    expect(client.receivedSoFar("session/update")).toHaveLength(201);
    await client.close();
    expect(await agent.exited).toEqual({ exitCode: 0, signal: null });
    expect(agent.stderr).toContain("this must not reach the wire");
    expect(client.seen.every(({ message }) => message !== undefined)).toBe(true);
  });

  it("writes invalid and incomplete lines in order, and can end only its output", async () => {
    const { agent, client } = await connected(kit.scriptCommand(made.script("agent-script")));
    await client.prompt("noise");
    const after = client.seen.slice(5).map(({ text, message }) => text ?? message?.method ?? "response");
    expect(after).toEqual(["Welcome!", "_torn", "response"]);
    void client.prompt("end");
    expect((await client.closed).how).toBe("ended");
    expect(agent.pid).toBeGreaterThan(0);
    await client.close();
    expect(await agent.exited).toEqual({ exitCode: 0, signal: null });
  });

  it("exits with 1 and prints the reason when its own code throws", async () => {
    const { agent, client } = await connected(kit.scriptCommand(made.script("agent-script")));
    expect((await client.prompt("throw")).error?.code).toBe(-32603);
    await client.close();
    expect(await agent.exited).toEqual({ exitCode: 1, signal: null });
    expect(agent.stderr).toContain("The script failed: Error: a bug of the script");
  });

  it("prints its usage", async () => {
    const { command, args } = kit.scriptCommand("");
    const run = (...more: string[]) => spawnSync(command, [args[0] ?? "", ...more], { encoding: "utf8" });
    expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining("Usage: acp-script MODULE") });
    expect(run(join(made.directory, "index.js"))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("exports no script"),
    });
  });

  it("prints its usage on standard output for --help, and one sentence for a file that does not exist", async () => {
    const { command, args } = kit.scriptCommand("");
    const run = (...more: string[]) => spawnSync(command, [args[0] ?? "", ...more], { encoding: "utf8" });
    const usage = expect.stringContaining("Usage: acp-script MODULE");
    expect(run("--help")).toMatchObject({ status: 0, stdout: usage, stderr: "" });
    expect(run("--what")).toMatchObject({ status: 2, stdout: "", stderr: usage });
    const sentence = "acp-script: there is no file none.js. The path is relative to the working directory.\n";
    expect(run("none.js")).toMatchObject({ status: 2, stdout: "", stderr: sentence });
  });
});

describe("a client's script as a process", () => {
  const play = (say: string) => {
    const agent = kit.scriptCommand(made.script("agent-script"));
    const { command, args } = kit.scriptCommand(made.script("client-script"), {
      agent: [agent.command, ...agent.args],
    });
    return spawnSync(command, args, { encoding: "utf8", env: { ...process.env, SAY: say } });
  };

  it("starts its agent, runs its steps, and exits with 0", () => {
    expect(play("hello")).toMatchObject({ status: 0, stdout: "" });
  });

  it("exits with 1 and prints the reason when a step throws", () => {
    expect(play("throw")).toMatchObject({ status: 1, stderr: expect.stringContaining("It stopped with undefined") });
  });
});

describe("a started process", () => {
  it("fails its transport with the reason if its program does not exist", async () => {
    const agent = spawnPeer({ command: "no-such-agent" });
    const client = clientScript().connect(agent);
    expect(await client.closed).toMatchObject({ how: "failed", error: { code: "ENOENT" } });
    expect(await agent.exited).toEqual({ exitCode: null, signal: null });
    await client.close();
  });

  it("is ended, even if it ignores the end of its input and SIGTERM", async () => {
    const program = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("{}");`;
    const agent = spawnPeer({ command: process.execPath, args: ["-e", program], graceMs: 50 });
    const client = clientScript().connect(agent);
    await client.received(() => true);
    await client.close();
    expect(await agent.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
  });
});

describe("a faulty agent's process", () => {
  const faultyAgent = (plan: FaultPlan, more: { readonly report?: string; readonly seed?: number } = {}) => {
    const { command, args } = kit.scriptCommand(made.script("agent-script"));
    return kit.faultyCommand({ command, args, plan, ...more });
  };

  it("behaves like the agent if its plan is empty", async () => {
    const { agent, client } = await connected(faultyAgent([]));
    await client.prompt("many");
    expect(client.receivedSoFar("session/update")).toHaveLength(200);
    await client.close();
    expect(await agent.exited).toEqual({ exitCode: 0, signal: null });
    expect(agent.stderr).toContain('acp-faulty: seed "1", plan []');
  });

  it("prints each fault on standard error, and in its report", async () => {
    const report = join(made.directory, "report.jsonl");
    const plan: FaultPlan = [
      { fault: "banner", from: "agent", at: 1, text: "Hello!" },
      { fault: "drop", method: "session/update", at: 2 },
      { fault: "split", from: "agent", bytes: [1, 9], method: "session/prompt" },
    ];
    const { agent, client } = await connected(faultyAgent(plan, { report, seed: 7 }));
    await client.prompt("many");
    await client.close();
    await agent.exited;
    expect(client.seen[1]?.text).toBe("Hello!");
    expect(client.receivedSoFar("session/update")).toHaveLength(199);
    const told = readFileSync(report, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { fault: string });
    expect(told.map(({ fault }) => fault)).toEqual(["banner", "drop", "split"]);
    expect(agent.stderr).toContain('seed "7"');
    expect(agent.stderr).toContain("drop: message 4 of the agent (notification session/update): it is lost");
  });

  it.each<[string, FaultPlan, object, string]>([
    [
      "exits with the code of its plan",
      [{ fault: "die", from: "agent", at: 4, exitCode: 5 }],
      { exitCode: 5, signal: null },
      "ended",
    ],
    [
      "is killed by a signal",
      [{ fault: "die", from: "agent", at: 4, how: "breaks" }],
      { exitCode: null, signal: "SIGKILL" },
      "ended",
    ],
    [
      "is cut in the middle of a line",
      [{ fault: "cut", from: "agent", at: 4, byte: 20 }],
      { exitCode: 0, signal: null },
      "ended",
    ],
  ])("%s", async (_name, plan, exit, how) => {
    const { agent, client } = await connected(faultyAgent(plan));
    void client.prompt("many");
    expect((await client.closed).how).toBe(how);
    expect(await agent.exited).toEqual(exit);
    expect(client.receivedSoFar("session/update")).toHaveLength(1);
    await client.close();
  });

  it("closes its output and continues to read", async () => {
    const { agent, client } = await connected(faultyAgent([{ fault: "half-close", from: "agent", at: 3 }]));
    void client.prompt("many");
    expect((await client.closed).how).toBe("ended");
    client.notify("_still-read");
    await client.close();
    expect(await agent.exited).toEqual({ exitCode: 0, signal: null });
  });

  it("exits with the code of its agent", async () => {
    const { agent, client } = await connected(faultyAgent([]));
    void client.prompt("die");
    expect(await agent.exited).toEqual({ exitCode: 3, signal: null });
    await client.close();
  });

  it("prints its usage", () => {
    const plan: FaultPlan = [{ fault: "drop" }];
    const all = { command: "agent", args: ["--acp", "--"], plan, seed: "x", report: "r" };
    expect(readFaultyArguments(faultyArguments(all))).toEqual(all);
    const random = readFaultyArguments(["--seed", "3", "--", "agent"]);
    expect(random).toMatchObject({ command: "agent", args: [], seed: "3", plan: [expect.anything()] });
    for (const wrong of [
      [],
      ["--"],
      ["--what", "x", "--", "agent"],
      ["--plan", "{}", "--", "agent"],
      ["--plan", '[{"fault":"x"}]', "--", "agent"],
      ["--plan", '[{"fault":"delay"}]', "--", "agent"],
      ["--plan", '[{"fault":"slow","ms":"5"}]', "--", "agent"],
      ["--plan", '[{"fault":"split","bytes":[1]}]', "--", "agent"],
    ]) {
      expect(readFaultyArguments(wrong)).toEqual({ problem: expect.stringMatching(/^(?:.+\n\n)?Usage: acp-faulty/) });
    }
    expect(readFaultyArguments(["--plan", '[{"fault":"x"}]', "--", "agent"])).toMatchObject({
      problem: expect.stringContaining("The fault 1 of the plan must have one of the names drop, "),
    });
    const { command, args } = kit.faultyCommand({ command: "x" });
    expect(spawnSync(command, [args[0] ?? ""], { encoding: "utf8" })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Usage"),
    });
  });

  it("prints its usage on standard output for --help, and one sentence for a report that it can't write", () => {
    const { command, args } = kit.faultyCommand({ command: "x" });
    const run = (...more: string[]) => spawnSync(command, [args[0] ?? "", ...more], { encoding: "utf8" });
    const usage = expect.stringMatching(/^Usage: acp-faulty/);
    expect(run("--help")).toMatchObject({ status: 0, stdout: usage, stderr: "" });
    const report = join(made.directory, "none", "report.jsonl");
    const { status, stderr } = run("--plan", "[]", "--report", report, "--", process.execPath, "--version");
    expect(stderr.trim().split("\n").at(-1)).toMatch(/^acp-faulty: Can't write the report .*report\.jsonl: ENOENT/);
    expect(status).toBe(2);
  });
});

it("a process without a time limit is not ended by a signal", async () => {
  const script = "process.stdin.resume().on('end', () => setTimeout(() => process.exit(4), 50))";
  const agent = spawnPeer({
    command: process.execPath,
    args: ["-e", `console.log('{}'); ${script}`],
    graceMs: Number.POSITIVE_INFINITY,
  });
  await new Promise<void>((resolve) => {
    agent.start({ message: () => resolve(), malformed() {}, ended() {}, failed() {} });
  });
  await agent.close();
  expect(await agent.exited).toEqual({ exitCode: 4, signal: null });
  expect(() => spawnPeer({ command: "agent", graceMs: Number.NaN })).toThrow(TypeError);
});

it("a process that writes much to its standard error keeps only the end of it", async () => {
  const line = "x".repeat(99_999);
  const script = `for (let n = 0; n < 35; n += 1) console.error("${line}"); console.error("last"); console.log("{}")`;
  const agent = spawnPeer({ command: process.execPath, args: ["-e", script] });
  agent.start({ message() {}, malformed() {}, ended() {}, failed() {} });
  await expect.poll(() => agent.stderr.endsWith("last\n"), { timeout: 20_000 }).toBe(true);
  expect(agent.stderr).toHaveLength(1_000_000);
  await agent.close();
});

it("a client's script states why its agent could not be started", async () => {
  const agent = spawnPeer({ command: "no-such-program-of-acp-kit" });
  const client = clientScript().connect(agent);
  await expect(client.initialize()).rejects.toThrow("no-such-program-of-acp-kit ENOENT");
  await client.close();
});

it("the README's example runs as a process, with and without faults", async () => {
  const { prompt } = await made.example();
  const { command, args } = kit.scriptCommand(made.script("readme-script"));
  expect(await prompt(command, args, [])).toMatch(/^end_turn\n/);
  const told = await prompt(command, args, [{ fault: "mistype", method: "session/prompt", kind: "request" }]);
  expect(told).toMatch(/mistype: message 3 of the client \(request session\/prompt\): params\S* is /);
});

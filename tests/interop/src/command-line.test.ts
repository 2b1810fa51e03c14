import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildCommandLine } from "./peers/build-command-line.js";
import { type RunningCommand, startCommand } from "./peers/command-line.js";
import { processesOf } from "./peers/processes-of.js";
import { type RealAgent, realAgents, startModel } from "./peers/real-agents.js";

const { agents, reason } = realAgents();
if (agents.length === 0) {
  console.log(`Not run: our command line with real agents, because ${reason}.`);
  it.skip(`real agents: ${reason}`, () => {});
}

it("the command line that starts the real agents is built", { timeout: 60_000 }, async () => {
  const command = startCommand(await buildCommandLine(), ["--version"], { cwd: process.cwd(), env: {} });
  expect(await command.ended).toEqual({ code: 0, out: "0.0.0\n", err: "" });
});

/** The members of the output of `acp-kit run --format json` that this test uses. */
interface Report {
  readonly stopReason: string | null;
  readonly text: string;
  readonly sessionId: string | null;
  readonly toolCalls: readonly { readonly kind: string; readonly status: string }[];
  readonly updates: Readonly<Record<string, number>>;
  readonly permissions: { readonly requested: number; readonly decisions: readonly { readonly outcome: string }[] };
}

/** Matches an object with these members, whatever their values. */
const everyMember = {
  stopReason: expect.anything(),
  text: expect.any(String),
  sessionId: expect.any(String),
  toolCalls: expect.any(Array),
  plan: null,
  usage: expect.anything(),
  updates: expect.objectContaining({ agent_message_chunk: expect.any(Number) }),
  permissions: { requested: expect.any(Number), decisions: expect.any(Array) },
  agent: { name: expect.any(String), version: expect.any(String) },
  protocolVersion: 1,
  durationMs: expect.any(Number),
};

/** Differences between the agents that the protocol allows. */
const ways: Readonly<Record<string, { readonly rejected: object; readonly loads: boolean }>> = {
  opencode: { rejected: { status: "failed" }, loads: true },
  claude: { rejected: { status: "failed" }, loads: true },
  // This agent never reports the result of a rejected tool call. It also advertises `loadSession` without supporting
  // it.
  gemini: { rejected: { status: "pending", unfinished: true }, loads: false },
};

describe.each(agents)("acp-kit run and $name", { timeout: 120_000 }, (agent) => {
  const { rejected, loads } = ways[agent.name] ?? { rejected: {}, loads: agent.scenarios.includes("load") };
  let program: string;
  let model: Awaited<ReturnType<typeof startModel>>;
  let place: ReturnType<RealAgent["prepare"]>;
  const inWorkspace = (name: string): string => join(place.cwd, name);
  const env = (): Record<string, string> => ({ ...(place.spawn.env as Record<string, string>) });
  beforeAll(async () => {
    program = await buildCommandLine();
    model = await startModel();
    place = agent.prepare(model.url);
  });
  beforeEach(() => writeFileSync(inWorkspace("edit.txt"), "first\nalpha\nlast\n"));
  afterEach(() => expect(processesOf(env().HOME ?? "")).toEqual([]));
  afterAll(() => {
    model?.close();
    place?.remove();
  });

  function start(prompt: string, words: readonly string[] = []): RunningCommand {
    const { command, args = [] } = place.spawn;
    const all = ["run", "--format", "json", "--prompt", prompt, ...words, "--", command, ...args];
    return startCommand(program, all, { cwd: place.cwd, env: env() });
  }

  async function run(prompt: string, words: readonly string[] = []): Promise<{ code: number | null; report: Report }> {
    const { code, out, err } = await start(prompt, words).ended;
    expect(out.endsWith("}\n"), out + err).toBe(true);
    return { code, report: JSON.parse(out) as Report };
  }

  it("ping", async () => {
    const { code, report } = await run("PING");
    expect(code).toBe(0);
    expect(report).toMatchObject({
      ...everyMember,
      stopReason: "end_turn",
      text: "PONG from fake model",
      toolCalls: [],
      permissions: { requested: 0, decisions: [] },
    });
    expect(Object.keys(report)).toEqual(Object.keys(everyMember));
  });

  it("read", async () => {
    const { code, report } = await run(`READFILE ${inWorkspace("hello.txt")}`);
    expect(code).toBe(0);
    expect(report).toMatchObject({
      stopReason: "end_turn",
      text: expect.stringMatching(/^I will read the file\. \n\nRead finished: /),
      toolCalls: [{ kind: "read", status: "completed", locations: [{ path: inWorkspace("hello.txt") }] }],
      permissions: { requested: 0, decisions: [] },
    });
  });

  it.each([
    ["allowed", "allow", "allow_once"],
    ["rejected", "reject", "reject_once"],
    ["rejected by the policy `reads`", "reads", "reject_once"],
    ["cancelled, because no user can decide", "ask", "cancelled"],
  ])("write, %s", async (_how, policy, outcome) => {
    const { code, report } = await run(`WRITEFILE ${inWorkspace(`${policy}.txt`)}`, ["--permissions", policy]);
    const allowed = policy === "allow";
    expect(code).toBe(0);
    expect(report).toMatchObject({
      stopReason: "end_turn",
      text: expect.stringMatching(/^I will write the file\. /),
      toolCalls: [{ kind: "edit", ...(allowed ? { status: "completed" } : rejected) }],
      permissions: { requested: 1, decisions: [{ outcome }] },
    });
    expect(existsSync(inWorkspace(`${policy}.txt`))).toBe(allowed);
    if (allowed) expect(readFileSync(inWorkspace("allow.txt"), "utf8")).toBe("written by fake model\n");
  });

  it("edit", async () => {
    const { code, report } = await run(`EDITFILE ${inWorkspace("edit.txt")}`, ["--permissions", "allow"]);
    expect(code).toBe(0);
    expect(report).toMatchObject({
      stopReason: "end_turn",
      text: expect.stringMatching(/^Reading before the edit\. \n\nEditing\. \n\nEdit finished: /),
      toolCalls: [
        { kind: "read", status: "completed" },
        {
          kind: "edit",
          status: "completed",
          content: expect.arrayContaining([
            expect.objectContaining({
              type: "diff",
              path: inWorkspace("edit.txt"),
              oldText: expect.stringContaining("alpha"),
              newText: expect.stringContaining("omega"),
            }),
          ]),
        },
      ],
      permissions: { requested: 1, decisions: [{ outcome: "allow_once" }] },
    });
    expect(readFileSync(inWorkspace("edit.txt"), "utf8")).toBe("first\nomega\nlast\n");
  });

  it("run", async () => {
    const { code, report } = await run("RUN echo run-ok > ran.txt; cat ran.txt", ["--permissions", "allow"]);
    expect(code).toBe(0);
    expect(report).toMatchObject({
      stopReason: "end_turn",
      text: expect.stringMatching(/^I will run the command\. \n\nRun finished: [\s\S]*run-ok/),
      toolCalls: [{ kind: "execute", status: "completed", title: "echo run-ok > ran.txt; cat ran.txt" }],
      permissions: { requested: 1, decisions: [{ outcome: "allow_once" }] },
    });
    expect(readFileSync(inWorkspace("ran.txt"), "utf8")).toBe("run-ok\n");
  });

  it("cancel: Ctrl-C while it streams", async () => {
    const running = start("SLOW", ["--log-level", "debug"]);
    await running.until("tick 1");
    running.interrupt();
    const { code, out } = await running.ended;
    expect(code).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ stopReason: "cancelled", text: expect.stringMatching(/^tick 1 /) });
  });

  it("unicode", async () => {
    const { code, report } = await run("UNICODE");
    expect(code).toBe(0);
    for (const odd of ["😀👩‍👩‍👧‍👦", "\u2028", "\u2029", "\u0001", "日本語", '"quoted\\"'])
      expect(report.text).toContain(odd);
  });

  it("load and twoturns: another process continues the session and prints no replayed update", async () => {
    const { sessionId } = (await run("PING")).report;
    const words = ["--session", sessionId ?? ""];
    const { code, report } = await run(`READFILE ${inWorkspace("hello.txt")}`, words);
    if (!loads) {
      expect({ code, sessionId: report.sessionId }).toEqual({ code: 1, sessionId: null });
      expect(report).toMatchObject({
        stopReason: null,
        text: "",
        error: { message: expect.stringMatching(/session/) },
      });
      return;
    }
    expect(code).toBe(0);
    expect(report).toMatchObject({
      stopReason: "end_turn",
      sessionId,
      toolCalls: [{ kind: "read", status: "completed" }],
    });
    expect(report.text).not.toContain("PONG");
  });

  it("multi: runs two processes at the same time", async () => {
    const [ping, read] = await Promise.all([run("PING"), run(`READFILE ${inWorkspace("hello.txt")}`)]);
    expect(ping).toMatchObject({ code: 0, report: { text: "PONG from fake model", toolCalls: [] } });
    expect(read).toMatchObject({ code: 0, report: { toolCalls: [{ kind: "read", status: "completed" }] } });
    expect(read.report.text).not.toContain("PONG");
    expect(ping.report.sessionId).not.toBe(read.report.sessionId);
  });
});

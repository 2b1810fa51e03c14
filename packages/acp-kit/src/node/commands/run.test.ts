import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "../../../test/program.js";
import {
  demoAgent,
  type Ended,
  rawAgent,
  type StartOptions,
  sandbox,
  start,
  survivors,
} from "../../../test/spawned.js";
import type { RunReport } from "../run/run-report.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);
beforeEach(() => writeFileSync(join(cwd, "hello.txt"), "one\ntwo\nthree\n"));
const file = (name: string): string => join(cwd, name);

/** `acp-kit run` to its end, in the folder of these tests. */
async function run(words: readonly string[], agent: readonly string[], options: StartOptions = {}): Promise<Ended> {
  return (await start(["run", ...words, ...agent], home, { cwd, ...options })).ended;
}

async function runJson(prompt: string, words: readonly string[] = [], agent?: readonly string[]) {
  const { code, out, err } = await run(
    ["--format", "json", "--prompt", prompt, ...words],
    agent ?? (await demoAgent()),
  );
  expect(out.endsWith("}\n"), out + err).toBe(true);
  return { code, err, report: JSON.parse(out) as RunReport };
}

describe("text", () => {
  it("prints the agent's text, and nothing else", async () => {
    const ended = await run(["--prompt", "/read hello.txt"], await demoAgent());
    expect(ended).toEqual({ code: 0, out: "hello.txt has 14 characters.\n", err: "" });
  });

  it("separates messages by an empty line, and reads the prompt from standard input", async () => {
    const { code, out } = await run([], await demoAgent(), { stdin: "/stream\n" });
    expect(code).toBe(0);
    expect(out).toMatch(/\S\n\n\S/);
    const { report } = await runJson("/stream");
    expect(`${report.text}\n`).toBe(out);
  });

  it("prints unusual characters unchanged", async () => {
    const { out } = await run(["--prompt", "/unicode"], await demoAgent());
    for (const odd of ["\u2028", "\u2029"]) expect(out).toContain(odd);
  });

  it("logs on standard error, by the log level", async () => {
    const words = ["--prompt", "/edit hello.txt", "--permissions", "allow", "--log-level"];
    expect(await run([...words, "warn"], await demoAgent())).toMatchObject({ err: "" });
    const { err } = await run([...words, "info"], await demoAgent());
    expect(err).toContain("? Edit hello.txt allow once\n");
    expect(err).toContain("✓ Edit hello.txt completed\n");
    expect((await run(words.slice(0, -1), await demoAgent(), { env: { ACP_LOG_LEVEL: "debug" } })).err).toContain(
      '"method":"session/prompt"',
    );
  });
});

describe.runIf(existsSync("/dev/full"))("on a full disk", () => {
  it.each(["text", "json", "jsonl"])("fails, and says why: --format %s", async (format) => {
    const words = [await commandLine(), "run", "Hello", "--format", format, ...(await demoAgent())];
    const full = openSync("/dev/full", "w");
    const env = { PATH: process.env.PATH, HOME: home };
    const child = spawn(process.execPath, words, { cwd, env, stdio: ["ignore", full, "pipe"] });
    closeSync(full);
    const [err, [code]] = await Promise.all([text(child.stderr as Readable), once(child, "close")]);
    expect(code).toBe(1);
    expect(err.match(/Can't write to standard output, so the result is incomplete: ENOSPC/g)).toHaveLength(1);
  });
});

describe("json", () => {
  it("prints one object with these members", async () => {
    const { code, err, report } = await runJson("/read hello.txt");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(report).toEqual({
      stopReason: "end_turn",
      text: "hello.txt has 14 characters.",
      sessionId: expect.stringMatching(/./),
      toolCalls: [
        {
          toolCallId: "call_1_1",
          title: "Read hello.txt",
          name: "read_file",
          kind: "read",
          status: "completed",
          content: [{ type: "content", content: { type: "text", text: "one\ntwo\nthree\n" } }],
          locations: [{ path: file("hello.txt") }],
          rawInput: { path: file("hello.txt") },
          rawOutput: { characters: 14 },
        },
      ],
      plan: null,
      usage: null,
      updates: expect.objectContaining({ tool_call: 1, tool_call_update: 1, agent_message_chunk: 1 }),
      permissions: { requested: 0, decisions: [] },
      agent: { name: "everything-agent", title: "Everything Agent", version: expect.stringMatching(/^\d/) },
      protocolVersion: 1,
      durationMs: expect.any(Number),
    });
  });

  it("contains the last plan", async () => {
    const { plan, updates } = (await runJson("/plan")).report;
    expect(plan?.length).toBeGreaterThan(2);
    expect(plan?.every(({ status }) => status === "completed")).toBe(true);
    expect(updates.plan).toBeGreaterThan(2);
  });

  it("contains the used context, its size and the cost", async () => {
    expect((await runJson("/usage")).report.usage).toEqual({
      context: { used: 31_000, size: 100_000 },
      turn: null,
      cost: { amount: 0.3, currency: "USD" },
    });
  });

  it("is also printed if the turn fails, with the error", async () => {
    const { code, err, report } = await runJson("/error -32007");
    expect(code).toBe(1);
    expect(report).toMatchObject({ stopReason: null, error: { code: -32007, message: "You asked for this error" } });
    expect(err).toContain("error: You asked for this error");
  });

  it("is also printed if the agent can't be started", async () => {
    const { code, report } = await runJson("hi", [], ["--", "no-such-agent-here"]);
    expect(code).toBe(3);
    expect(report).toMatchObject({ stopReason: null, sessionId: null, agent: null, protocolVersion: null });
    expect(report.error?.message).toContain("no-such-agent-here");
  });
});

describe("jsonl", () => {
  const lines = (out: string) =>
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { t: number; from: string; message: { method?: string; params?: unknown } });

  it("prints every message in order, and nothing else", async () => {
    const { code, out } = await run(["--format", "jsonl", "--prompt", "/read hello.txt"], await demoAgent());
    expect(code).toBe(0);
    const wire = lines(out);
    expect(wire.map((line) => Object.keys(line))).toEqual(wire.map(() => ["t", "from", "message"]));
    expect(wire.map(({ t }) => t)).toEqual(wire.map(({ t }) => t).sort((a, b) => a - b));
    const methods = wire.flatMap(({ from, message }) => (message.method ? [`${from} ${message.method}`] : []));
    expect(methods.filter((each) => !each.endsWith("session/update"))).toEqual([
      "client initialize",
      "client session/new",
      "client session/prompt",
      "agent fs/read_text_file",
    ]);
    expect(wire.at(-1)).toMatchObject({ from: "agent", message: { result: { stopReason: "end_turn" } } });
  });

  it("shows no secrets without --show-secrets", async () => {
    const path = file("mcp.json");
    writeFileSync(path, JSON.stringify({ mcpServers: { one: { command: "/bin/one", env: { TOKEN: "hush" } } } }));
    const words = ["--format", "jsonl", "--prompt", "/echo hi", "--mcp", path];
    const { out } = await run(words, await demoAgent());
    expect(out).not.toContain("hush");
    expect(lines(out).find(({ message }) => message.method === "session/new")?.message.params).toMatchObject({
      mcpServers: [{ name: "one", command: "/bin/one", args: [], env: [{ name: "TOKEN", value: "[redacted]" }] }],
    });
    expect((await run([...words, "--show-secrets"], await demoAgent())).out).toContain("hush");
    expect((await run([...words, "--log-level", "debug"], await demoAgent())).err).not.toContain("hush");
  });
});

describe("files and terminals", () => {
  it("are served from --cwd, or ACP_CWD", async () => {
    for (const [words, env] of [
      [["--cwd", cwd], {}],
      [[], { ACP_CWD: cwd }],
    ] as const) {
      const { out } = await run([...words, "--prompt", "/read hello.txt 2 1"], await demoAgent(), { cwd: home, env });
      expect(out).toMatch(/^hello.txt has [34] characters/);
    }
  });

  it("are written only inside that folder", async () => {
    await run(["--prompt", "/write new/file.txt Some text"], await demoAgent());
    expect(readFileSync(file("new/file.txt"), "utf8")).toBe("Some text");
    const outside = join(home, "outside.txt");
    const { report } = await runJson(`/write ${outside} Some text`);
    expect(report.toolCalls).toMatchObject([{ status: "failed" }]);
    expect(existsSync(outside)).toBe(false);
  });

  it("commands run in that folder", async () => {
    const { report } = await runJson("/run pwd");
    expect(report).toMatchObject({ stopReason: "end_turn", toolCalls: [{ kind: "execute", status: "completed" }] });
    expect(JSON.stringify(report.toolCalls)).toContain(cwd);
  });
});

describe("permissions", () => {
  it.each([
    ["allow", "allow_once", "changed"],
    ["reject", "reject_once", "as it was"],
    ["reads", "reject_once", "as it was"],
    ["ask", "reject_once", "as it was"],
  ])("%s: an edit gets %s, and the file is %s", async (policy, decision, is) => {
    const { report } = await runJson("/edit hello.txt", ["--permissions", policy]);
    const { requested, decisions } = report.permissions;
    expect({ requested, decisions }).toEqual({
      requested: 1,
      decisions: [{ toolCallId: "call_1_2", title: "Edit hello.txt", decision }],
    });
    expect(readFileSync(file("hello.txt"), "utf8") === "one\ntwo\nthree\n").toBe(is === "as it was");
  });

  it("reports that there is no terminal to prompt the user", async () => {
    const { err } = await runJson("/edit hello.txt");
    expect(err).toContain("there is no terminal to prompt the user: the tool call was rejected");
  });
});

describe("sessions", () => {
  it("continues a previous session without printing its history", async () => {
    const agent = await demoAgent("--store", join(home, "store"));
    const first = await runJson("/plan", [], agent);
    const id = first.report.sessionId ?? "";
    const { code, report } = await runJson("/session", ["--session", id], agent);
    expect(code).toBe(0);
    expect(report).toMatchObject({ sessionId: id, plan: null, toolCalls: [] });
    expect(report.text).toContain('"turns": 2');
  });

  it("loads a session if the agent can't resume, and does not count its history", async () => {
    const agent = await demoAgent("--store", join(home, "store"));
    const { report: first } = await runJson("/tools", [], agent);
    const noResume = [
      "--",
      process.execPath,
      join(import.meta.dirname, "../../../test/fixtures/no-resume.mjs"),
      ...agent.slice(1),
    ];
    const { report } = await runJson("/echo again", ["--session", first.sessionId ?? ""], noResume);
    expect(report).toMatchObject({
      stopReason: "end_turn",
      sessionId: first.sessionId,
      toolCalls: [],
      updates: { agent_message_chunk: expect.any(Number) },
    });
    expect(report.text).not.toContain("tool calls");
  });

  it("reports an unknown session, and an agent without saved sessions", async () => {
    expect(await runJson("hi", ["--session", "nope"])).toMatchObject({ code: 1, report: { sessionId: null } });
    const { code, err } = await runJson("hi", ["--session", "s0"], rawAgent("noisy"));
    expect(code).toBe(1);
    expect(err).toContain("can neither resume nor load");
  });

  it("switches to the requested mode and model", async () => {
    const { report } = await runJson("/session", ["--mode", "code", "--model", "Raven"]);
    expect(JSON.parse(report.text.replace(/```(json)?/g, ""))).toMatchObject({
      settings: { mode: "code", model: "raven" },
    });
  });

  it.each([
    ["--mode", "fly", "ask (Ask), plan (Plan), code (Code)"],
    ["--model", "dodo", "raven"],
  ])("%s %s: an unknown value lists the offered values and sends no prompt", async (option, value, offered) => {
    const { code, err, report } = await runJson("/echo hi", [option, value]);
    expect({ code, text: report.text }).toEqual({ code: 2, text: "" });
    expect(err).toContain(offered);
  });
});

describe("exit codes", () => {
  it.each([
    [0, "/echo hi", "end_turn"],
    [1, "/error", null],
    [4, "/refuse", "refusal"],
    [4, "/max-tokens", "max_tokens"],
    [4, "/max-turn-requests", "max_turn_requests"],
  ])("%i after %s", async (expected, prompt, stopReason) => {
    const { code, report } = await runJson(prompt);
    expect({ code, stopReason: report.stopReason }).toEqual({ code: expected, stopReason });
  });

  it("3 if the agent exits during the turn, with its last standard error", async () => {
    const { code, err, report } = await runJson("hi", [], rawAgent("mortal"));
    expect(code).toBe(3);
    expect(report).toMatchObject({ stopReason: null, text: "I begin.", sessionId: "s1" });
    expect(err).toContain("something broke in here");
  });

  it("5 after --timeout, or ACP_TIMEOUT; the turn was cancelled", async () => {
    // The limit is longer than the start of the agent on a busy machine.
    const { code, err, report } = await runJson("/slow", ["--timeout", "2"]);
    expect({ code, stopReason: report.stopReason }).toEqual({ code: 5, stopReason: "cancelled" });
    expect(err).toContain("timed out after 2 s");
    const env = { ACP_TIMEOUT: "0.8" };
    expect(await run(["--prompt", "/slow"], await demoAgent(), { env })).toMatchObject({ code: 5 });
    expect(
      await run(["--prompt", "/echo hi", "--timeout", "0"], await demoAgent(), { env: { ACP_TIMEOUT: "0.001" } }),
    ).toMatchObject({ code: 0 });
  });

  it("6 if a login is needed, with the login methods", async () => {
    const { code, err } = await runJson("hi", [], await demoAgent("--auth"));
    expect(code).toBe(6);
    expect(err).toContain("requires a login (Pretend)");
  });

  it("130 after Ctrl-C, which cancels the turn", async () => {
    const words = ["run", "--format", "json", "--log-level", "info", "--prompt", "/slow", ...(await demoAgent())];
    const running = await start(words, home);
    await running.until("err", "Take my time");
    running.child.kill("SIGINT");
    const { code, out } = await running.ended;
    expect(code).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ stopReason: "cancelled", text: expect.stringContaining("Cancel me.") });
  });
});

describe("leaves no process", () => {
  const note = file("pids.json");
  const stubborn = rawAgent("stubborn", note);

  it("of an agent that ignores the end of input and SIGTERM, after the timeout", async () => {
    const { code, report } = await runJson("hi", ["--timeout", "2"], stubborn);
    expect(code).toBe(5);
    expect(report).toMatchObject({ stopReason: null, text: "I begin." });
    expect(survivors(note)).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "except those outside the agent's process tree, which one line lists",
    async () => {
      const { code, out, err } = await run(["--prompt", "hi"], rawAgent("daemon", note));
      const pid = Number(readFileSync(note, "utf8"));
      process.kill(pid, "SIGKILL");
      expect(code).toBe(0);
      expect(out).toBe("I begin.\n");
      expect(err).toBe(`warning: The agent left a process running: sleep (pid ${pid})\n`);
    },
  );

  it("after the second Ctrl-C, which exits immediately", async () => {
    const running = await start(["run", "--prompt", "hi", ...stubborn], home);
    await running.until("out", "I begin.");
    running.child.kill("SIGINT");
    await running.until("err", "send the signal again to exit immediately");
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130 });
    expect(survivors(note)).toEqual([]);
  });

  it("of the commands that the agent runs in the client's terminals", async () => {
    writeFileSync(
      file("stay.cjs"),
      `require("node:fs").writeFileSync("pids.json", JSON.stringify([process.pid]));
       console.log("I stay");
       setInterval(() => {}, 1000);`,
    );
    const words = ["--format", "jsonl", "--prompt", `/run ${process.execPath} stay.cjs`];
    const running = await start(["run", ...words, ...(await demoAgent())], home, { cwd });
    await running.until("out", "I stay");
    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 130 });
    expect(survivors(note)).toEqual([]);
  });

  it("after this process was killed and acp-kit runs again", async () => {
    const running = await start(["run", "--prompt", "hi", ...stubborn], home);
    await running.until("out", "I begin.");
    running.child.kill("SIGKILL");
    await running.ended;
    expect(survivors(note)).not.toEqual([]);
    await run(["--prompt", "/slow 1"], await demoAgent(), { cwd: home });
    await expect.poll(() => survivors(note), { timeout: 20_000 }).toEqual([]);
  });

  it("after the output pipe was closed, which cancels the turn without an error message", async () => {
    const running = await start(["run", "--prompt", "/flood 100000", ...(await demoAgent())], home);
    await running.until("out", "0");
    running.child.stdout?.destroy();
    const { code, err } = await running.ended;
    expect(code).toBe(130);
    expect(err).toBe("warning: cancelled, because the reader closed the output pipe\n");
  });
});

it("skips and reports output of the agent that is not JSON", async () => {
  const { code, out, err } = await run(["--prompt", "hi"], rawAgent("noisy"));
  expect({ code, out }).toEqual({ code: 0, out: "I begin.\n" });
  expect(err).toMatch(/^warning: /);
});

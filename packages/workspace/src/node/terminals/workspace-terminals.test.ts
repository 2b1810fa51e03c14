import { chmodSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { CreateTerminalRequest, TerminalExitStatus, TerminalOutputResponse } from "@acp-kit/types";
import { afterEach, describe, expect, it, test } from "vitest";
import { contextOf, errorOf, type Playground, playground } from "../../../test/playground.js";
import { eventually, isRunning } from "../../../test/processes.js";
import type { WorkspaceContext } from "../workspace-context.js";
import type { FixedTerminalLimits, TerminalInfo, WorkspaceTerminalsOptions } from "./terminals-options.js";
import { Terminals, type WorkspaceTerminals, workspaceTerminals } from "./workspace-terminals.js";

const open: WorkspaceTerminals[] = [];
afterEach(async () => {
  for (const terminals of open.splice(0)) await terminals.close();
});

interface Setup extends Playground {
  readonly terminals: WorkspaceTerminals;
  readonly context: WorkspaceContext;
  create(command: string, rest?: Partial<CreateTerminalRequest>): Promise<Running>;
}

/** One terminal, as an agent uses it. */
interface Running {
  readonly terminalId: string;
  output(): Promise<TerminalOutputResponse>;
  /** Waits for the exit, and returns it with the whole output. */
  end(): Promise<TerminalOutputResponse>;
  wait(): Promise<TerminalExitStatus>;
  kill(): Promise<unknown>;
  release(): Promise<unknown>;
}

function setup(options: WorkspaceTerminalsOptions = {}, fixed: Partial<FixedTerminalLimits> = {}): Setup {
  const place = playground();
  const terminals: WorkspaceTerminals = new Terminals(options, { termGraceMs: 20_000, ...fixed });
  open.push(terminals);
  const context = contextOf(place.work);
  const attach = (terminalId: string): Running => {
    const params = { sessionId: "s1", terminalId };
    return {
      terminalId,
      output: () => terminals.terminalOutput(params, context),
      wait: () => terminals.waitForTerminalExit(params, context),
      kill: () => terminals.killTerminal(params, context),
      release: () => terminals.releaseTerminal(params, context),
      async end() {
        await this.wait();
        return this.output();
      },
    };
  };
  return {
    ...place,
    terminals,
    context,
    async create(command, rest) {
      const params = { sessionId: "s1", command, ...rest };
      return attach((await terminals.createTerminal(params, context)).terminalId);
    },
  };
}

/** A program in JavaScript, run by this Node. */
const node = (script: string): [string, Partial<CreateTerminalRequest>] => [process.execPath, { args: ["-e", script] }];
const forever = node('console.log("started"); setInterval(() => {}, 1_000)');

describe("a terminal", () => {
  it("[TERM-04] [TERM-09] is created immediately, has output while the command runs, and an exit status once it has ended", async () => {
    const { create } = setup();
    const terminal = await create(
      ...node('console.log("ready"); process.stdin.resume(); setTimeout(() => {}, 60_000)'),
    );
    await eventually(async () => (await terminal.output()).output === "ready\n");
    expect(await terminal.output()).toEqual({ output: "ready\n", truncated: false });
    await terminal.kill();
    expect(await terminal.output()).toMatchObject({ exitStatus: { exitCode: null, signal: "SIGTERM" } });
  });

  it("can't have a limit that is NaN or negative", () => {
    expect(() => workspaceTerminals({ maxTerminals: Number.NaN })).toThrow(
      new TypeError("workspaceTerminals.maxTerminals must be a number from 0 to Infinity, not NaN"),
    );
    expect(() => workspaceTerminals({ maxOutputBytes: -1 })).toThrow(TypeError);
  });

  it("[TERM-06] gets its args unchanged, and the agent's variables override those of the client", async () => {
    const { create } = setup({ env: { FROM_CLIENT: "client", BOTH: "client" } });
    const script = "console.log(JSON.stringify([process.argv.slice(1), process.env.FROM_CLIENT, process.env.BOTH]))";
    const args = ["-e", script, "a b", "$HOME", "", "'\"", "*"];
    const terminal = await create(process.execPath, { args, env: [{ name: "BOTH", value: "agent" }] });
    expect(JSON.parse((await terminal.end()).output)).toEqual([args.slice(2), "client", "agent"]);
  });

  it("runs a command line passed as one string in a shell", async () => {
    const { create } = setup();
    const terminal = await create('echo one && echo "two  words" | cat');
    expect(await terminal.end()).toEqual({
      output: "one\ntwo  words\n",
      truncated: false,
      exitStatus: { exitCode: 0, signal: null },
    });
    expect((await (await create("exit 7", { args: [] })).end()).exitStatus).toEqual({ exitCode: 7, signal: null });
  });

  test.runIf(process.platform !== "win32")(
    "has the output of both streams of a command line in the order in which it was written",
    async () => {
      const { create } = setup();
      const lines = Array.from({ length: 50 }, (_, index) => `echo ${index}${index % 2 ? " >&2" : ""}`);
      const { output } = await (await create(lines.join("; "))).end();
      expect(output).toBe(lines.map((_, index) => `${index}\n`).join(""));
    },
  );

  it("gets the end of its input immediately", async () => {
    const { create } = setup();
    expect(await (await create("cat; echo done")).end()).toMatchObject({ output: "done\n" });
  });

  it("[TERM-10] reports the exit code or the signal", async () => {
    const { create } = setup();
    expect(await (await create(...node("process.exit(3)"))).wait()).toEqual({ exitCode: 3, signal: null });
    expect(await (await create(...node('process.kill(process.pid, "SIGKILL")'))).wait()).toEqual({
      exitCode: null,
      signal: "SIGKILL",
    });
  });

  it("[TERM-11] responds to every wait_for_exit, before and after the exit, and to other requests in between", async () => {
    const { create } = setup();
    const terminal = await create(...forever);
    const waits = [terminal.wait(), terminal.wait(), terminal.wait()];
    await eventually(async () => (await terminal.output()).output === "started\n");
    await terminal.kill();
    const expected = { exitCode: null, signal: "SIGTERM" };
    expect(await Promise.all([...waits, terminal.wait()])).toEqual([expected, expected, expected, expected]);
  });

  it("stops waiting when the request is cancelled; the command continues", async () => {
    const { create, terminals, context } = setup();
    const terminal = await create(...forever);
    const controller = new AbortController();
    const waiting = terminals.waitForTerminalExit(
      { sessionId: "s1", terminalId: terminal.terminalId },
      { ...context, signal: controller.signal },
    );
    controller.abort(new Error("called off"));
    await expect(waiting).rejects.toThrow("called off");
    expect(await terminal.output()).not.toHaveProperty("exitStatus");
  });

  it("[TERM-12] [TERM-19] has its output after a kill, and can be killed twice", async () => {
    const { create } = setup();
    const terminal = await create(
      ...node(
        'process.on("SIGTERM", () => { console.log("last words"); process.exit(5) }); console.log("first"); setInterval(() => {}, 999)',
      ),
    );
    await eventually(async () => (await terminal.output()).output === "first\n");
    expect(await terminal.kill()).toEqual({});
    const expected = { output: "first\nlast words\n", truncated: false, exitStatus: { exitCode: 5, signal: null } };
    expect(await terminal.output()).toEqual(expected);
    expect(await terminal.wait()).toEqual(expected.exitStatus);
    expect(await terminal.kill()).toEqual({});
  });

  it("that ignores SIGTERM gets SIGKILL", async () => {
    const { create } = setup({}, { termGraceMs: 50 });
    const terminal = await create(
      ...node('process.on("SIGTERM", () => {}); console.log("on"); setInterval(() => {}, 999)'),
    );
    await eventually(async () => (await terminal.output()).output === "on\n");
    await terminal.kill();
    expect((await terminal.output()).exitStatus).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  it("[TERM-14] [TERM-15] and all its processes no longer exist once it is released", async () => {
    const { create } = setup();
    const terminal = await create("sleep 600 & echo $!; sleep 600 & echo $!; echo $$; wait");
    await eventually(async () => (await terminal.output()).output.trim().split("\n").length === 3);
    const pids = (await terminal.output()).output.trim().split("\n").map(Number);
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    const waiting = terminal.wait();
    expect(await terminal.release()).toEqual({});
    expect(pids.map(isRunning)).toEqual([false, false, false]);
    expect(await waiting).toMatchObject({ signal: "SIGTERM" });
    for (const request of [terminal.output, terminal.wait, terminal.kill, terminal.release]) {
      expect(await errorOf(request())).toMatchObject({ code: -32002 });
    }
  });

  it("has running background processes after its command has ended, until it is released", async () => {
    const { create } = setup({}, { outputGraceMs: 50 });
    const terminal = await create("sleep 600 & echo $!");
    const { output, exitStatus } = await terminal.end();
    expect(exitStatus).toEqual({ exitCode: 0, signal: null });
    expect(isRunning(Number(output))).toBe(true);
    await terminal.release();
    expect(isRunning(Number(output))).toBe(false);
  });

  it("[TERM-16] [TERM-21] is known to its own session only", async () => {
    const { create, terminals, context } = setup();
    const { terminalId } = await create("echo hello");
    for (const params of [
      { sessionId: "s2", terminalId },
      { sessionId: "s1", terminalId: "none" },
    ]) {
      expect(await errorOf(terminals.terminalOutput(params, context))).toMatchObject({ code: -32002 });
      expect(await errorOf(terminals.waitForTerminalExit(params, context))).toMatchObject({ code: -32002 });
      expect(await errorOf(terminals.killTerminal(params, context))).toMatchObject({ code: -32002 });
      expect(await errorOf(terminals.releaseTerminal(params, context))).toMatchObject({ code: -32002 });
    }
    expect(terminals.openTerminals.map((each) => each.terminalId)).toEqual([terminalId]);
  });
});

describe("output", () => {
  it("[TERM-07] is cut from the start", async () => {
    const { create } = setup();
    const numbers = "for (let i = 0; i < 100; i++) console.log(i)";
    const terminal = await create(process.execPath, { args: ["-e", numbers], outputByteLimit: 10 });
    expect(await terminal.end()).toMatchObject({ output: "\n97\n98\n99\n", truncated: true });
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("[TERM-08] within %d bytes is whole characters", async (outputByteLimit) => {
    const { create } = setup();
    const terminal = await create(process.execPath, {
      args: ["-e", 'process.stdout.write("ä€😀".repeat(3))'],
      outputByteLimit,
    });
    const { output, truncated } = await terminal.end();
    expect(truncated).toBe(true);
    expect(output).not.toContain("\uFFFD");
    expect("ä€😀".repeat(3).endsWith(output)).toBe(true);
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(outputByteLimit);
  });

  test.each([
    [0, ""],
    [4, "abc\n"],
    [3, "bc\n"],
  ])("with a limit of %d is %j", async (outputByteLimit, output) => {
    const { create } = setup();
    const terminal = await create("echo abc", { outputByteLimit });
    expect(await terminal.end()).toMatchObject({ output, truncated: output !== "abc\n" });
  });

  it("workspace.bounded-output: is bounded by the client, whatever the agent requests", async () => {
    const { create } = setup({ maxOutputBytes: 1_000 });
    const script = 'process.stdout.write("x".repeat(200_000))';
    for (const outputByteLimit of [null, 999_999_999]) {
      const terminal = await create(process.execPath, { args: ["-e", script], outputByteLimit });
      expect(await terminal.end()).toMatchObject({ output: "x".repeat(1_000), truncated: true });
    }
  });

  it("is valid UTF-8, whatever bytes the command writes and however the pipe cuts them", async () => {
    const { create } = setup();
    const script = `
      const write = (...bytes) => require("node:fs").writeSync(1, Buffer.from(bytes));
      write(0xe2); setTimeout(() => { write(0x82); setTimeout(() => write(0xac, 0xff, 0x41, 0xe2), 20) }, 20)`;
    expect((await (await create(...node(script))).end()).output).toBe("€\uFFFDA\uFFFD");
  });

  it("is reported as it arrives, after onStart and before onExit", async () => {
    const heard: unknown[] = [];
    const note =
      (what: string) =>
      ({ command, sessionId }: TerminalInfo, detail?: unknown): void => {
        heard.push([what, sessionId, command, detail]);
      };
    const { create } = setup({ onStart: note("start"), onOutput: note("output"), onExit: note("exit") });
    await (await create("echo one")).end();
    expect(heard).toEqual([
      ["start", "s1", "echo one", undefined],
      ["output", "s1", "echo one", "one\n"],
      ["exit", "s1", "echo one", { exitCode: 0, signal: null }],
    ]);
  });

  it("is kept even if onOutput throws", async () => {
    const fail = (): never => {
      throw new Error("no room");
    };
    const { create } = setup({ onStart: fail, onOutput: fail, onExit: fail });
    expect((await (await create("echo one")).end()).output).toBe("one\n");
  });
});

describe("the working directory", () => {
  it("is the session's, or the requested one", async () => {
    const { create, work } = setup();
    mkdirSync(join(work, "deep"));
    expect((await (await create("pwd")).end()).output).toBe(`${work}\n`);
    expect((await (await create("pwd", { cwd: join(work, "deep") })).end()).output).toBe(`${join(work, "deep")}\n`);
  });

  it("[TERM-05] [DIR-12] lies in a root, absolute and by its real path", async () => {
    const { create, work, outside, file } = setup();
    symlinkSync(outside, join(work, "out"));
    file("work/file.txt");
    for (const cwd of [outside, "/", join(work, ".."), join(work, "out"), join(work, "none"), "relative", ""]) {
      expect(await errorOf(create("pwd", { cwd }))).toMatchObject({ code: -32602, reason: "bad_cwd" });
    }
    expect(await errorOf(create("pwd", { cwd: join(work, "file.txt") }))).toMatchObject({ code: -32602 });
  });

  it("is the first root if the session's working directory isn't allowed", async () => {
    const { outside, path } = playground();
    const { create } = setup({ roots: [outside, path] });
    expect((await (await create("pwd")).end()).output).toBe(`${outside}\n`);
  });

  it("of an unknown session: -32002", async () => {
    const { terminals, context } = setup();
    const request = terminals.createTerminal({ sessionId: "s9", command: "ls" }, { ...context, session: undefined });
    expect(await errorOf(request)).toMatchObject({ code: -32002 });
  });
});

describe("the environment", () => {
  const variables = "console.log(JSON.stringify(process.env))";

  it("workspace.secrets-stay: holds the variables programs need, and none of the client's secrets", async () => {
    process.env.ACP_KIT_TEST_TOKEN = "secret";
    try {
      const { create } = setup({ env: { LANG: undefined, EXTRA: "1" } });
      const env = JSON.parse((await (await create(...node(variables))).end()).output);
      expect(env).toMatchObject({ PATH: process.env.PATH, EXTRA: "1" });
      expect(env).not.toHaveProperty("ACP_KIT_TEST_TOKEN");
      expect(env).not.toHaveProperty("LANG");
    } finally {
      delete process.env.ACP_KIT_TEST_TOKEN;
    }
  });

  it("is inherited completely, in part or not at all, as inheritEnv says", async () => {
    process.env.ACP_KIT_TEST_TOKEN = "secret";
    try {
      for (const inheritEnv of [true, ["ACP_KIT_TEST_TOKEN"]]) {
        const { create } = setup({ inheritEnv });
        const env = JSON.parse((await (await create(...node(variables))).end()).output);
        expect(env).toHaveProperty("ACP_KIT_TEST_TOKEN", "secret");
        expect("PATH" in env).toBe(inheritEnv === true);
      }
    } finally {
      delete process.env.ACP_KIT_TEST_TOKEN;
    }
  });
});

describe("a command that can't be started", () => {
  it("[TERM-20] because it doesn't exist: -32002, with the directories that were searched", async () => {
    const { create, terminals } = setup({ env: { PATH: "/nowhere" } });
    const error = await errorOf(create("no-such-command"));
    expect(error).toMatchObject({ code: -32002, reason: "not_found" });
    expect(error.message).toContain("no-such-command");
    expect(terminals.openTerminals).toEqual([]);
  });

  it("because it isn't executable or contains NUL: -32602", async () => {
    const { create, file } = setup();
    const script = file("work/script.sh", "echo no");
    chmodSync(script, 0o644);
    expect(await errorOf(create(script))).toMatchObject({ code: -32602, reason: "not_executable" });
    expect(await errorOf(create("echo", { args: ["a\0b"] }))).toMatchObject({ code: -32602 });
  });

  it.each<[string, string, Partial<CreateTerminalRequest>]>([
    ["command: must name a program", "", {}],
    ["command: contains NUL", "a\0b", {}],
    ["args: an argument contains NUL", "echo", { args: ["a", "b\0"] }],
    ["env: a name is empty or contains an equals sign", "env", { env: [{ name: "", value: "x" }] }],
    ["env: a name is empty or contains an equals sign", "env", { env: [{ name: "PATH=/x", value: "x" }] }],
    ["env: a variable contains NUL", "env", { env: [{ name: "A", value: "x\0y" }] }],
  ])("because the system can't pass it on: %s", async (message, command, rest) => {
    const { create, terminals } = setup();
    const error = await errorOf(create(command, rest));
    expect(error).toMatchObject({ code: -32602, message: `Invalid params: ${message}` });
    expect(terminals.openTerminals).toEqual([]);
  });

  it("because its name is longer than the system allows: -32602", async () => {
    const { create } = setup();
    expect(await errorOf(create("x".repeat(5_000)))).toMatchObject({ code: -32602 });
  });

  it("in a shell has the error message and the exit code of the shell", async () => {
    const { create } = setup();
    const { output, exitStatus } = await (await create("no-such-command --flag")).end();
    expect(exitStatus).toEqual({ exitCode: 127, signal: null });
    expect(output).toContain("no-such-command");
  });
});

describe("limits", () => {
  it("apply to the terminals of a session", async () => {
    const { create, terminals, context } = setup({ maxTerminals: 2 });
    const [first] = await Promise.all([create(...forever), create(...forever)]);
    expect(await errorOf(create(...forever))).toMatchObject({ code: -32600 });
    await terminals.createTerminal({ sessionId: "s2", command: "ls" }, context);
    await first.release();
    await create("ls");
  });

  it("apply to simultaneous requests", async () => {
    const { create } = setup({ maxTerminals: 2 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => create(...forever)));
    expect(results.map(({ status }) => status).sort()).toEqual([
      ...["fulfilled", "fulfilled", "rejected", "rejected", "rejected"],
    ]);
  });

  it("workspace.bounded-terminals: apply to the sum of all sessions that the client doesn't know", async () => {
    const { context, work } = setup();
    const listed = workspaceTerminals({ maxTerminals: 2, roots: [work] });
    open.push(listed);
    const invent = (sessionId: string) =>
      listed.createTerminal({ sessionId, command: "sleep", args: ["600"] }, { ...context, session: undefined });
    const results = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => invent(`invented-${index}`)));
    expect(results.map(({ status }) => status).sort()).toEqual([
      ...["fulfilled", "fulfilled", "rejected", "rejected", "rejected"],
    ]);
    expect(await errorOf(invent("another"))).toMatchObject({ code: -32600 });
    await listed.createTerminal({ sessionId: "s1", command: "sleep", args: ["600"] }, context);
    const [first] = listed.openTerminals;
    await listed.releaseTerminal({ sessionId: first?.sessionId ?? "", terminalId: first?.terminalId ?? "" }, context);
    await invent("one more");
    expect(listed.openTerminals).toHaveLength(3);
  });

  it("are available again when a command can't be started", async () => {
    const { create } = setup({ maxTerminals: 1, env: { PATH: "/nowhere" } });
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await errorOf(create("no-such-command"))).toMatchObject({ code: -32002 });
      expect(await errorOf(create("pwd", { cwd: "/" }))).toMatchObject({ reason: "bad_cwd" });
    }
    await create(...forever);
  });

  it("allow many terminals of a session, and many waits, without a warning of a leak", async () => {
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", note);
    try {
      const { terminals, context } = setup();
      const { signal: sessionSignal } = new AbortController();
      const { signal } = new AbortController();
      const request = { sessionId: "s1", command: "sleep", args: ["600"] };
      const created = await Promise.all(
        Array.from({ length: 20 }, () => terminals.createTerminal(request, { ...context, sessionSignal })),
      );
      const waits = created.map(({ terminalId }) =>
        terminals.waitForTerminalExit({ sessionId: "s1", terminalId }, { ...context, signal }),
      );
      await terminals.close();
      expect(await Promise.all(waits)).toHaveLength(20);
      await new Promise((resolve) => setImmediate(resolve)); // warnings come in a later tick
    } finally {
      process.off("warning", note);
    }
    expect(warnings).toEqual([]);
  });

  test.each<[string, Partial<CreateTerminalRequest>]>([
    ["a command", { command: "a".repeat(10_000_000) }],
    ["a command line", { command: "a ".repeat(5_000_000) }],
    ["a path with ..", { command: `/${"a".repeat(500_000)}/${"b/../".repeat(500_000)}` }],
    ["an argument", { args: ["a".repeat(10_000_000)] }],
    ["many arguments", { args: Array.from({ length: 200_000 }, () => "") }],
    ["a variable", { env: [{ name: "A", value: "a".repeat(10_000_000) }] }],
    ["a name of a variable", { env: [{ name: "A".repeat(10_000_000), value: "" }] }],
    ["many variables", { env: Array.from({ length: 200_000 }, (_, index) => ({ name: `A${index}`, value: "" })) }],
  ])("hostile.long-commands: refuse %s of any length immediately", async (_, params) => {
    const { create } = setup();
    const error = await errorOf(create("echo", params));
    expect(error).toMatchObject({ code: -32602, reason: "too_large" });
    expect(error.message.length).toBeLessThan(200);
  });

  it("hostile.long-commands: allow every command that the system allows, and refuse a longer one", async () => {
    const { create } = setup();
    const { output } = await (await create("echo", { args: ["a".repeat(100_000)] })).end();
    expect(output).toHaveLength(100_001);
    const line = `# ${"a/../".repeat(20_000)}`;
    expect((await (await create(line)).end()).exitStatus).toEqual({ exitCode: 0, signal: null });
    const tooMuch = create("echo", { args: ["a".repeat(1_000_000)] });
    const result = await tooMuch.then(
      () => "started",
      (error) => error.code,
    );
    expect(["started", -32602]).toContain(result);
  });

  test.each([-1, 1.5, Number.NaN])("refuse %d as the number of bytes to keep", async (outputByteLimit) => {
    const { create } = setup();
    expect(await errorOf(create("echo", { outputByteLimit }))).toMatchObject({ code: -32602 });
  });

  it("hostile.long-commands: shorten a long id in an error", async () => {
    const { terminals, context } = setup();
    const terminal = { sessionId: "s".repeat(1_000_000), terminalId: "t".repeat(1_000_000) };
    expect((await errorOf(terminals.terminalOutput(terminal, context))).message.length).toBeLessThan(400);
    const request = terminals.createTerminal({ ...terminal, command: "ls" }, { ...context, session: undefined });
    expect((await errorOf(request)).message.length).toBeLessThan(400);
  });

  it("end a command after maxLifetimeMs, and keep its output", async () => {
    const { create } = setup({ maxLifetimeMs: 300 });
    const terminal = await create(...forever);
    expect(await terminal.end()).toMatchObject({ exitStatus: { signal: "SIGTERM" } });
  });
});

describe("the end", () => {
  it("workspace.nothing-left: of a session releases the terminals of that session only", async () => {
    const { terminals, context } = setup();
    const ending = new AbortController();
    const [gone, stays] = await Promise.all([
      terminals.createTerminal({ sessionId: "s1", command: "sleep 600" }, { ...context, sessionSignal: ending.signal }),
      terminals.createTerminal(
        { sessionId: "s2", command: "sleep 600" },
        { ...context, sessionSignal: new AbortController().signal },
      ),
    ]);
    ending.abort();
    expect(terminals.openTerminals.map(({ terminalId }) => terminalId)).toEqual([stays.terminalId]);
    const output = terminals.terminalOutput({ sessionId: "s1", terminalId: gone.terminalId }, context);
    expect(await errorOf(output)).toMatchObject({ code: -32002 });
    const late = terminals.createTerminal(
      { sessionId: "s1", command: "sleep 600" },
      { ...context, sessionSignal: ending.signal },
    );
    expect(await errorOf(late)).toMatchObject({ code: -32600 });
    expect(terminals.openTerminals).toHaveLength(1);
  });

  it("workspace.nothing-left: of a session, or close(), also ends a command that is being started", async () => {
    const { terminals, context, create } = setup();
    const ending = new AbortController();
    const command = { sessionId: "s1", command: "sleep 600" };
    const starting = terminals.createTerminal(command, { ...context, sessionSignal: ending.signal });
    ending.abort();
    expect(await errorOf(starting)).toMatchObject({ code: -32600 });
    const late = create("sleep 600");
    const [error] = await Promise.all([errorOf(late), terminals.close()]);
    expect(error).toMatchObject({ code: -32600 });
    expect(terminals.openTerminals).toEqual([]);
  });

  it("workspace.nothing-left: of a session also ends a command whose directory is being opened", async () => {
    const { terminals, context } = setup();
    const [ended, unknown] = [new AbortController(), new AbortController()];
    let isOpen = true;
    const changing: WorkspaceContext = {
      ...context,
      // As in a client: a session that is not open any more has the signal of all unknown sessions, which ends with the
      // connection.
      get sessionSignal() {
        return (isOpen ? ended : unknown).signal;
      },
    };
    const starting = terminals.createTerminal({ sessionId: "s1", command: "sleep 600" }, changing);
    isOpen = false;
    ended.abort();
    expect(await errorOf(starting)).toMatchObject({ code: -32600 });
    expect(terminals.openTerminals).toEqual([]);
  });

  it("workspace.nothing-left: by close() leaves no process and starts no new one", async () => {
    const { create, work, terminals } = setup({}, { termGraceMs: 50 });
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["600"], { stdio: "ignore" });
      require("node:fs").writeFileSync("pids", process.pid + " " + child.pid);
      process.on("SIGTERM", () => {}); setInterval(() => {}, 999); console.log("on")`;
    const terminal = await create(...node(script));
    await eventually(async () => (await terminal.output()).output === "on\n");
    const pids = readFileSync(join(work, "pids"), "utf8").split(" ").map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await terminals[Symbol.asyncDispose]();
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(terminals.openTerminals).toEqual([]);
    expect(await errorOf(create("ls"))).toMatchObject({ code: -32600 });
  });
});

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { registrySnapshot } from "@acp-kit/registry";
import { afterAll, describe, expect, it } from "vitest";
import { fakeHost } from "../../../test/fake-host.js";
import { demoAgent, rawAgent, sandbox, start, survivors } from "../../../test/spawned.js";
import type { Examination } from "../doctor/examination.js";
import { examineAgent } from "../doctor/examine-agent.js";
import { createLog } from "../log.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

async function doctor(...words: readonly string[]) {
  return (await start(["doctor", ...words], home, { cwd })).ended;
}

async function examine(...words: readonly string[]) {
  const { code, out, err } = await doctor("--json", ...words);
  expect(out.endsWith("}\n"), out + err).toBe(true);
  return { code, err, examination: JSON.parse(out) as Examination };
}

describe.concurrent("doctor", () => {
  it("reports what an agent can do, without a prompt, and leaves no session behind", async () => {
    const store = join(home, "store");
    const { code, err, examination } = await examine(...(await demoAgent("--store", store)));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const findings = (protocolVersion: number): object => ({
      command: expect.arrayContaining(["demo-agent"]),
      startupMs: expect.any(Number),
      protocolVersion,
      agent: { name: "everything-agent", title: "Everything Agent", version: expect.any(String) },
      capabilities: expect.objectContaining({ loadSession: true }),
      authMethods: [],
      session: {
        state: "opened",
        options: expect.arrayContaining([
          { id: "mode", name: "Mode", type: "select", value: "ask", choices: ["ask", "plan", "code"] },
          { id: "loud", name: "Loud", type: "boolean", value: false, choices: [true, false] },
        ]),
        commands: expect.arrayContaining(["help", "plan"]),
        mcp: { way: "http", listsTools: false },
      },
      oddities: [],
      exit: { byItself: true, ms: expect.any(Number), exitCode: 0, signal: null, detachedProcesses: [] },
    });
    expect(examination).toEqual({ ...findings(2), version1: findings(1) });
    mkdirSync(store, { recursive: true });
    expect(readdirSync(store)).toEqual([]);
  });

  it("prints the same as text", async () => {
    const { code, out } = await doctor(...(await demoAgent()));
    expect(code).toBe(0);
    for (const line of [
      /^start +✓ initialized after \d+ ms$/m,
      /^agent +Everything Agent \S+ \(everything-agent\)$/m,
      /^prompts +text, links, images, audio, embedded resources$/m,
      /^sessions +new, load, list, delete, resume, close/m,
      /^MCP servers +stdio \(required of every agent\), http, sse$/m,
      /^a session +✓ opened$/m,
      /^ +mode: ask \(or plan, code\)$/m,
      /^ +! did not list the tools of an MCP server \(http\) before the first prompt$/m,
      /^oddities +none noticed$/m,
      /^exit +✓ \d+ ms after its input ended, with code 0$/m,
    ]) {
      expect(out).toMatch(line);
    }
  });

  it("mcp.doctor: says whether the agent uses the MCP servers that it gets", async () => {
    const agent = fileURLToPath(new URL("../../../test/fixtures/http-mcp-agent.mjs", import.meta.url));
    const command = ["--protocol", "1", "--", process.execPath, agent, "lists"];
    const { examination } = await examine(...command);
    expect(examination).toMatchObject({ session: { mcp: { way: "http", listsTools: true } }, oddities: [] });
    const { out } = await doctor(...command);
    expect(out).toMatch(/^ +✓ lists the tools of an MCP server \(http\)$/m);
  });

  it("says what it waits for if the agent does not respond", async () => {
    const host = fakeHost({ terminal: true });
    const stop = new AbortController();
    const steps: string[] = [];
    const onWait = (step: string): void => {
      steps.push(step);
      stop.abort(new Error("waited"));
    };
    const silent = {
      command: process.execPath,
      args: ["-e", "process.stdin.on('end', () => process.exit()).resume()"],
    };
    const log = createLog(host, "error");
    await examineAgent(silent, host, { cwd, log, protocol: "1", openSession: true, stop: stop.signal, onWait });
    expect(steps).toEqual(["the response to initialize"]);
  });

  it("opens no session with --no-session", async () => {
    const { examination } = await examine("--no-session", ...(await demoAgent()));
    expect(examination).toMatchObject({ session: { state: "skipped" }, exit: { byItself: true } });
  });

  it("doesn't log in, and lists the ways to", async () => {
    const { code, examination } = await examine(...(await demoAgent("--auth")));
    expect(code).toBe(0);
    expect(examination).toMatchObject({
      session: { state: "login_needed" },
      authMethods: [{ id: "pretend", name: "Pretend", kind: "agent" }],
    });
  });

  it("notices what is outside the protocol", async () => {
    const { examination } = await examine(...rawAgent("noisy"));
    expect(examination.oddities).toMatchObject([{ rule: "malformed_input", count: 1 }]);
  });

  it("lists only a few messages of one kind, and counts the others", async () => {
    const { examination } = await examine(...rawAgent("banner"));
    const counts = examination.oddities.map(({ rule, count }) => `${rule} ${count}`);
    expect(counts).toEqual([...Array(5).fill("malformed_input 1"), "malformed_input 45"]);
    expect(examination.oddities.at(-1)?.message).toBe("Other messages of this kind.");
  });

  it("fails if the agent ends during the examination, and does not say that it exited after its input ended", async () => {
    const { code, examination } = await examine(...rawAgent("crashing"));
    expect(code).toBe(3);
    expect(examination).toMatchObject({
      session: { state: "failed", error: expect.stringContaining("exited with code 9") },
      exit: null,
      error: expect.stringContaining("exited with code 9"),
    });
  });

  it("deletes the session even if the agent can't close it", async () => {
    const note = join(cwd, "methods.txt");
    const { code } = await examine(...rawAgent("refuses", note));
    expect(code).toBe(0);
    expect(readFileSync(note, "utf8").trim().split("\n").slice(-2)).toEqual(["session/close", "session/delete"]);
  });

  it.each(["session/close", "session/delete"])(
    "completes the examination of an agent that never responds to %s",
    async (method) => {
      const [, command = "", ...args] = rawAgent("hung", method);
      const host = fakeHost({ env: { HOME: home } });
      const { examination, error } = await examineAgent({ command, args }, host, {
        cwd,
        log: createLog(host, "error"),
        protocol: "1",
        openSession: true,
        stop: new AbortController().signal,
        leaveGraceMs: 1,
      });
      expect(error).toBeUndefined();
      expect(examination).toMatchObject({ session: { state: "opened" }, exit: { byItself: true } });
    },
  );

  it.skipIf(process.platform === "win32")(
    "reports what it found before a signal, without advice that is too late for the reader",
    async () => {
      const words = ["doctor", "--json", "--log-level", "debug", ...rawAgent("hung", "session/new")];
      const running = await start(words, home, { cwd });
      await running.until("err", "ignores session/new");
      running.child.kill("SIGINT");
      const { code, out, err } = await running.ended;
      expect(code).toBe(130);
      expect(err).toContain("error: cancelled (SIGINT); send the signal again to exit immediately\n");
      expect(JSON.parse(out)).toMatchObject({ agent: { name: "hung" }, session: null, error: "cancelled (SIGINT)" });
    },
  );

  it("reports that an agent doesn't exit when its input ends, and ends it all the same", async () => {
    const note = join(cwd, "pids.json");
    const { code, examination } = await examine(...rawAgent("stubborn", note));
    expect(code).toBe(0);
    expect(examination.exit).toMatchObject({ byItself: false, signal: "SIGKILL" });
    expect(survivors(note)).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("reports a process that an agent leaves running, and ends it", async () => {
    const note = join(cwd, "left.json");
    const { code, examination } = await examine(...rawAgent("leaving", note));
    expect(code).toBe(0);
    const left = { pid: expect.any(Number), command: "sleep", ended: true };
    expect(examination.exit).toMatchObject({ byItself: true, detachedProcesses: [left] });
    expect(survivors(note)).toEqual([]);
    const { out } = await doctor(...rawAgent("leaving", note));
    expect(out).toMatch(/^exit .*\n +! left running: sleep \(pid \d+\), ended now$/m);
    expect(survivors(note)).toEqual([]);
  });

  it.skipIf(process.platform === "win32")(
    "does not count the time in which it ends the processes that an agent left running",
    async () => {
      const note = join(cwd, "left-stubborn.json");
      const [, command = "", ...args] = rawAgent("leaving-stubborn", note);
      const host = fakeHost({ env: { HOME: home } });
      const { examination } = await examineAgent({ command, args }, host, {
        cwd,
        log: createLog(host, "error"),
        protocol: "1",
        openSession: false,
        stop: new AbortController().signal,
        exitGraceMs: 1_900, // the left process gets 2,000 ms after SIGTERM
      });
      expect(examination.exit).toMatchObject({ byItself: true, exitCode: 0, detachedProcesses: [{ ended: true }] });
      expect(survivors(note)).toEqual([]);
    },
  );

  it("names the method whose response does not match the schema", async () => {
    const { examination: first } = await examine(...rawAgent("invalid", "initialize"));
    expect(first.error).toMatch(/^the response to initialize does not match the schema: protocolVersion: /);
    const { examination: second } = await examine(...rawAgent("invalid", "session/new"));
    expect(second.session).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/^the response to session\/new does not match the schema: sessionId: /),
    });
  });

  it("is exit code 3 for an agent that can't be started", async () => {
    const { code, examination } = await examine("--", "no-such-agent-here");
    expect(code).toBe(3);
    expect(examination).toMatchObject({
      startupMs: null,
      exit: null,
      error: expect.stringContaining("no-such-agent-here"),
    });
  });
});

describe("agents", () => {
  it("lists agents with their commands and where they are, and starts none", async () => {
    const { ended } = await start(["agents", "--json"], home, { env: { PATH: cwd } });
    const { code, out } = await ended;
    expect(code).toBe(0);
    const listed = JSON.parse(out) as { id: string; path: string | null; command: string; args: string[] }[];
    expect(listed.length).toBeGreaterThan(15);
    expect(listed.find(({ id }) => id === "gemini")).toMatchObject({ command: "gemini", args: ["--acp"], path: null });
  });

  it("says for people what is not here, and how to get it", async () => {
    const { ended } = await start(["agents"], home, { env: { PATH: cwd } });
    const { out } = await ended;
    expect(out).toContain("There is no agent on this machine.");
    expect(out).toMatch(/^ {2}gemini +\d+\.\d+\.\d+ +Gemini CLI$/m);
    expect(out).toContain(
      `\nThis is the snapshot of ${registrySnapshot.takenOn} that is part of acp-kit. ${registrySnapshot.source}\n`,
    );
  });
});

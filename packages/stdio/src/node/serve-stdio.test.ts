import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { buildSources } from "../../test/build-sources.js";
import { eventually, isRunning } from "../../test/processes.js";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-serve-"));
  buildSources(directory);
});
afterAll(() => rmSync(directory, { recursive: true }));

let served: Served[] = [];
afterEach(() => {
  for (const { child } of served) child.kill("SIGKILL");
  served = [];
});

/** A process that serves an agent: its input, its output and its exit. */
class Served {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exit: Promise<[code: number | null, signal: string | null]>;
  stdout = "";
  stderr = "";

  constructor(...flags: string[]) {
    this.child = spawn(process.execPath, [join(directory, "served.mjs"), ...flags]);
    this.exit = once(this.child, "close") as Promise<[number | null, string | null]>;
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.child.stdin.on("error", () => {});
    served.push(this);
  }

  send(method: string, params?: unknown, id: number | undefined = 1): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  }

  get messages(): unknown[] {
    return this.stdout
      .trimEnd()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as unknown);
  }

  async answers(count: number): Promise<void> {
    while (this.stdout.split("\n").length <= count) await once(this.child.stdout, "data");
  }
}

const answered = (result: unknown, id = 1) => ({ jsonrpc: "2.0", id, result });

describe("serveStdio", () => {
  it("reserves standard output for the protocol, from the first import on", async () => {
    const agent = new Served();
    agent.send("print");
    await agent.answers(1);
    agent.send("echo", "still here", 2);
    agent.child.stdin.end();
    expect(await agent.exit).toEqual([0, null]);
    expect(agent.messages).toEqual([answered("printed"), answered("still here", 2)]);
    for (const line of [
      "noisy: console.log at import",
      "noisy: console.info at import",
      "noisy: write at import",
      "printed by console.log",
      "printed by console.error",
      "printed later",
      "printed as bytes",
      "printed at the end",
    ]) {
      expect(agent.stderr.split("\n")).toContain(line);
    }
  });

  it("exits when its input ends, with timers and sockets still open, after responding to requests that arrived", async () => {
    const agent = new Served();
    agent.send("keepAlive", undefined, 1);
    await agent.answers(1);
    agent.send("pend", undefined, 2);
    agent.send("echo", "last", 3);
    agent.child.stdin.end();
    expect(await agent.exit).toEqual([0, null]);
    expect(agent.messages).toEqual([answered("kept"), answered("last", 3), answered("ended", 2)]);
  });

  it("exits when its client was killed, even while reading is paused", async () => {
    const client = spawn(process.execPath, [join(directory, "client.mjs"), "pause"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = (await once(client.stdout, "data")) as [Buffer];
    const { result: pid } = JSON.parse(line.toString()) as { result: number };
    expect(isRunning(pid)).toBe(true);
    onTestFailed(() => void process.kill(pid, "SIGKILL"));
    client.kill("SIGKILL");
    await eventually(() => !isRunning(pid));
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("ends cleanly on %s", async (signal) => {
    const agent = new Served();
    agent.send("keepAlive", undefined, 1);
    agent.send("pend", undefined, 2);
    await agent.answers(1);
    agent.child.kill(signal);
    expect(await agent.exit).toEqual([0, null]);
    expect(agent.messages).toEqual([answered("kept"), answered("ended", 2)]);
  });

  it("ends cleanly when a signal comes with the end of input", async () => {
    const agent = new Served();
    agent.send("echo", 1);
    await agent.answers(1);
    agent.child.stdin.end();
    agent.child.kill("SIGTERM");
    agent.child.kill("SIGTERM");
    expect(await agent.exit).toEqual([0, null]);
  });

  it("exits in bounded time when the connection doesn't end", async () => {
    const agent = new Served("--stubborn");
    agent.send("keepAlive");
    await agent.answers(1);
    agent.child.stdin.end();
    expect(await agent.exit).toEqual([0, null]);
  });

  it.each([
    ["throwLater", "Uncaught error, so the agent ends: Error: thrown later"],
    ["rejectLater", "Unhandled rejection, so the agent ends: Error: rejected later"],
  ])("prints an uncaught error to standard error, responds and exits with 1 (%s)", async (method, message) => {
    const agent = new Served();
    agent.send("pend", undefined, 1);
    agent.send(method, undefined, 2);
    expect(await agent.exit).toEqual([1, null]);
    expect(agent.messages).toEqual([answered("ended", 1)]);
    expect(agent.stderr).toContain(message);
  });

  it("quiet.failed-handlers: prints what a handler throws to standard error, with its stack, and nothing about noise of the peer", async () => {
    const agent = new Served();
    agent.send("fail", { code: "handler_failed" }, 1);
    agent.send("fail", { code: "malformed_input" }, 2);
    agent.child.stdin.end();
    expect(await agent.exit).toEqual([0, null]);
    expect(agent.stderr).toMatch(
      /^The handler of fail failed\.\nError: thrown by the handler\n +at .*served\.mjs:\d+/m,
    );
    expect(agent.stderr.split("thrown by the handler")).toHaveLength(2);
    expect(agent.messages).toEqual([answered("failed", 1), answered("failed", 2)]);
  });

  it("prints nothing, or passes diagnostics to a function, by option", async () => {
    const [silent, own] = [new Served("--silent"), new Served("--own-listener")];
    for (const agent of [silent, own]) {
      agent.send("fail", { code: "handler_failed" });
      agent.child.stdin.end();
      expect(await agent.exit).toEqual([0, null]);
    }
    expect(silent.stderr).not.toContain("fail");
    expect(own.stderr).toContain("received handler_failed\n");
    expect(own.stderr).not.toContain("thrown by the handler");
  });

  it("exits if the client stops reading, as if the client had disconnected", async () => {
    const agent = new Served();
    agent.send("keepAlive");
    await agent.answers(1);
    agent.child.stdout.destroy();
    agent.send("burst", { count: 1_000 });
    expect(await agent.exit).toEqual([0, null]);
    expect(agent.stderr).not.toContain("EPIPE");
  });

  it("doesn't fail when its standard error is not read", async () => {
    const agent = new Served();
    agent.child.stderr.destroy();
    agent.send("print");
    await agent.answers(1);
    agent.send("echo", "alive", 2);
    await agent.answers(2);
    agent.child.stdin.end();
    expect(await agent.exit).toEqual([0, null]);
  });

  it("flushes all queued messages before it exits", async () => {
    const agent = new Served();
    agent.send("burst", { count: 20_000 });
    expect((await agent.exit)[0]).toBe(0);
    expect(agent.messages).toHaveLength(20_000);
  });
});

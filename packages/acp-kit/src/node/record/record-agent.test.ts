import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";
import { readRecordingFile } from "@acp-kit/testing/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scriptSettings, writeAgentSettings } from "../../../test/agent-settings.js";
import { commandLine } from "../../../test/program.js";

let directory: string;
let acpKit: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-record-"));
  acpKit = await commandLine();
});
afterAll(() => rmSync(directory, { recursive: true }));

/** `acp-kit record` before an agent that is a line of JavaScript. */
function record(script: string, ...options: string[]): ChildProcessByStdio<Writable, Readable, Readable> {
  const words = [acpKit, "record", ...options, "--", process.execPath, "-e", script];
  return spawn(process.execPath, words, { stdio: ["pipe", "pipe", "pipe"], cwd: directory });
}

async function everythingFrom(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
}

describe("acp-kit record", () => {
  it("forwards and records a whole conversation", async () => {
    const file = join(directory, "talk.jsonl");
    const demo = [process.execPath, acpKit, "demo-agent"];
    await using agent = await connectAgent(
      spawnAgent({ command: process.execPath, args: [acpKit, "record", "--out", file, "--", ...demo] }),
      { info: { name: "test", version: "1.0.0" } },
    );
    const session = await agent.newSession({ cwd: directory });
    const turn = session.prompt("/echo hello");
    let updates = 0;
    for await (const _ of turn) updates += 1;
    expect(await turn.result).toMatchObject({ stopReason: "end_turn" });
    await agent.close();
    const { entries, problems } = await readRecordingFile(file);
    expect(problems).toEqual([]);
    const heard = entries.filter((entry) => entry.kind === "message" && entry.from === "agent");
    expect(heard.length).toBeGreaterThanOrEqual(updates + 3);
    expect(entries.find(({ kind }) => kind === "peers")).toMatchObject({
      client: { name: "test" },
      protocolVersion: 1,
    });
    expect(entries.at(-1)).toMatchObject({ kind: "process", event: "exited", exitCode: 0 });
  });

  it("counts --max-megabytes in MiB, as its default", async () => {
    const file = join(directory, "large.jsonl");
    const line = `'{"jsonrpc":"2.0","method":"_x","params":{"text":"' + "x".repeat(1_020_000) + '"}}\\n'`;
    const child = record(`process.stdout.write(${line})`, "-o", file, "--max-megabytes", "1");
    child.stdin.end();
    await Promise.all([everythingFrom(child.stdout), once(child, "exit")]);
    const { entries } = await readRecordingFile(file);
    expect(entries.map(({ kind }) => kind)).toContain("message");
    expect(entries.map(({ kind }) => kind)).not.toContain("left_out");
  });

  it("gives an agent that it finds by name the environment, with the variables of the agent's settings", async () => {
    const home = join(directory, "home");
    const script = "process.stdout.write([process.env.PATH, process.env.HOME, process.env.OWN].join())";
    writeAgentSettings(home, { mine: scriptSettings(script, { OWN: "1" }) });
    const { PATH = "" } = process.env;
    const child = spawn(process.execPath, [acpKit, "record", "--agent", "mine"], {
      env: { PATH, HOME: home },
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(await everythingFrom(child.stdout)).toBe([PATH, home, 1].join());
  });

  it("secret.command-line: hides the secrets of the environment and of the agent's settings in the recording", async () => {
    const home = join(directory, "home-with-secrets");
    const file = join(directory, "secrets.jsonl");
    const script = "process.stderr.write([process.env.EXAMPLE_API_KEY, process.env.OWN].join())";
    const [key, own] = ["0123456789abcdef01234567", "MARKERown0123456789"];
    writeAgentSettings(home, { mine: scriptSettings(script, { OWN: own }) });
    const { PATH = "" } = process.env;
    const child = spawn(process.execPath, [acpKit, "record", "--out", file, "--agent", "mine"], {
      env: { PATH, HOME: home, EXAMPLE_API_KEY: key },
      stdio: ["ignore", "ignore", "pipe"],
    });
    expect(await everythingFrom(child.stderr)).toBe([key, own].join());
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"text":"[redacted],[redacted]"');
    for (const secret of [key, own]) expect(text).not.toContain(secret);
  });

  it("prints nothing itself, exits with the agent's exit code while its input is open, and never overwrites a file", async () => {
    for (const name of ["code.jsonl", "code-2.jsonl"]) {
      const child = record(
        "process.stdout.write('out'); process.stderr.write('err'); process.exitCode = 42",
        "-o",
        "code.jsonl",
      );
      const exit = once(child, "exit");
      expect(await Promise.all([everythingFrom(child.stdout), everythingFrom(child.stderr)])).toEqual(["out", "err"]);
      expect(await exit).toEqual([42, null]);
      expect(readdirSync(directory)).toContain(name);
    }
  });

  it.skipIf(process.platform === "win32")("forwards signals, and ends by the signal that ends the agent", async () => {
    const obeys = record(
      "process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1e6); process.stdout.write('up')",
    );
    await once(obeys.stdout, "data");
    obeys.kill("SIGTERM");
    expect(await once(obeys, "exit")).toEqual([9, null]);
    const dies = record("setInterval(() => {}, 1e6); process.stdout.write('up')", "-o", "dies.jsonl");
    await once(dies.stdout, "data");
    dies.kill("SIGHUP");
    expect(await once(dies, "exit")).toEqual([null, "SIGHUP"]);
    expect(readFileSync(join(directory, "dies.jsonl"), "utf8")).toContain('"event":"signal","signal":"SIGHUP"');
  });

  it.skipIf(process.platform === "win32")("closes its output when a running agent closes its output", async () => {
    const child = record(
      "require('fs').closeSync(1); process.stdin.resume().on('end', () => process.exit(3))",
      "-o",
      "half.jsonl",
    );
    expect(await everythingFrom(child.stdout)).toBe("");
    expect(child.exitCode).toBeNull();
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([3, null]);
  });

  it("leaves a readable recording after a kill", async () => {
    const child = record(
      // It ends with its output: otherwise it would write failures for ever, without a turn of its event loop that ends
      // it.
      "let n = 0; const go = (failed) => failed || process.stdout.write(JSON.stringify({ n: n++ }) + '\\n', go); go()",
      "-o",
      "killed.jsonl",
    );
    await once(child.stdout, "data");
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    const { entries, problems } = await readRecordingFile(join(directory, "killed.jsonl"));
    expect(entries.length).toBeGreaterThan(2);
    expect(problems.filter(({ kind }) => kind !== "torn")).toEqual([]);
  });

  it.skipIf(process.platform !== "linux")(
    "says that it could not record, and fails, while the conversation goes on",
    async () => {
      const child = record("process.stdin.pipe(process.stdout)", "--overwrite", "-o", "/dev/full");
      const exit = once(child, "exit");
      child.stdin.end("a line\n");
      const [output, errors] = await Promise.all([everythingFrom(child.stdout), everythingFrom(child.stderr)]);
      expect(output).toBe("a line\n");
      expect(errors).toMatch(/^acp-kit record: recording stopped: .*ENOSPC/);
      expect(await exit).toEqual([1, null]);
    },
  );

  it("exits with 127 for a command that does not exist", async () => {
    const words = [acpKit, "record", "-o", join(directory, "none.jsonl"), "--", "no-such-agent"];
    const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "pipe"] });
    const exit = once(child, "exit");
    expect(await everythingFrom(child.stderr)).toContain('can\'t start "no-such-agent"');
    expect(await exit).toEqual([127, null]);
  });
});

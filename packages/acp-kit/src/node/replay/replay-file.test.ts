import { execFile } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../../../test/program.js";
import { demoAgent, rawAgent, start, survivors } from "../../../test/spawned.js";

const hasPage = existsSync(fileURLToPath(new URL("../../../../inspector/dist/page/page.js", import.meta.url)));
if (!hasPage) console.log("Not run: acp-kit trace --html, because @acp-kit/inspector is not built.");

let directory: string;
let acpKit: string;
let talk: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-replay-"));
  acpKit = await commandLine();
  talk = join(directory, "talk.jsonl");
  const recorded = ["--", process.execPath, acpKit, "record", "-o", talk, "--", process.execPath, acpKit, "demo-agent"];
  const { code, stderr } = await run("run", "--prompt", "/echo hello", ...recorded);
  expect(code, stderr).toBe(0);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs `acp-kit` to its end. */
function run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return runWithInput("", ...words);
}

/** Runs `acp-kit` with a text as standard input to its end. */
function runWithInput(input: string, ...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { cwd: directory, env: { ...process.env, NO_COLOR: "1" } };
    const child = execFile(process.execPath, [acpKit, ...words], options, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

describe("acp-kit replay", () => {
  it("replays the recorded agent", async () => {
    const live = await run("run", "--prompt", "/echo hello", "--", process.execPath, acpKit, "demo-agent");
    const again = await run(
      "run",
      "--prompt",
      "/echo hello",
      "--",
      process.execPath,
      acpKit,
      "replay",
      "--strict",
      talk,
    );
    expect(again.stdout).toBe(live.stdout);
    expect(again.code).toBe(0);
  });

  it("fails if the live agent does not start, or ends too early", async () => {
    const missing = await run("replay", "--as", "client", talk, "--", "no-such-agent-here");
    expect(missing.stderr).toContain('error: Can\'t start the agent "no-such-agent-here"');
    expect(missing.code).toBe(3);
    const crashed = await run("replay", "--as", "client", talk, ...rawAgent("crashing"));
    expect(crashed.stderr).toMatch(/^error: The agent .* exited with code 9/m);
    expect(crashed.code).toBe(3);
  });

  it.skipIf(process.platform === "win32")("leaves an agent to the next run if it is killed", async () => {
    const note = join(directory, "pids.json");
    const home = join(directory, "home");
    mkdirSync(home);
    const running = await start(["replay", "--as", "client", talk, ...rawAgent("stubborn", note)], home);
    await expect.poll(() => existsSync(note) && survivors(note).length, { timeout: 20_000 }).toBe(2);
    running.child.kill("SIGKILL");
    await running.ended;
    expect(survivors(note)).not.toEqual([]);
    await (await start(["doctor", "--no-session", ...(await demoAgent())], home)).ended;
    await expect.poll(() => survivors(note), { timeout: 20_000 }).toEqual([]);
  });

  it("reports differences of the client", async () => {
    const again = await run(
      "run",
      "--log-level",
      "debug",
      "--prompt",
      "/echo bye",
      "--",
      process.execPath,
      acpKit,
      "replay",
      talk,
    );
    expect(again.stderr).toContain('- params.prompt[0].text: "/echo hello"');
    expect(again.stderr).toContain('+ params.prompt[0].text: "/echo bye"');
  });

  it("replays the recorded client, and reports differences of the agent", async () => {
    const same = await run("replay", "--as", "client", "--strict", talk, "--", process.execPath, acpKit, "demo-agent");
    expect(same.stderr).toContain("0 differences");
    expect(same.code).toBe(0);
    const other = join(directory, "other.jsonl");
    writeFileSync(other, readFileSync(talk, "utf8").replace('"loadSession":true', '"loadSession":"other"'));
    const changed = await run(
      "replay",
      "--as",
      "client",
      "--strict",
      other,
      "--",
      process.execPath,
      acpKit,
      "demo-agent",
    );
    expect(changed.stderr).toContain(
      '- result.agentCapabilities.loadSession: "other"\n  + result.agentCapabilities.loadSession: true',
    );
    expect(changed.code).toBe(1);
  });

  it.skipIf(process.platform === "win32")("exits with 130 if a signal cancels it", async () => {
    const child = execFile(process.execPath, [acpKit, "replay", talk]);
    const ended = once(child, "exit");
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: {} })}\n`);
    await once(child.stderr as Readable, "data");
    child.kill("SIGTERM");
    expect(await ended).toEqual([130, null]);
  });

  it("hides the secrets of the live client in differences", async () => {
    const mcpServers = [
      { name: "m", command: "/mcp", args: [], env: [{ name: "API_KEY", value: "live-secret-1234567" }] },
    ];
    const input = [
      { id: 0, method: "initialize", params: { protocolVersion: 1 } },
      { id: 1, method: "session/new", params: { cwd: directory, mcpServers } },
    ].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const { stderr } = await runWithInput(input.join(""), "replay", talk);
    expect(stderr).toContain("+ params.mcpServers[0]: ");
    expect(stderr).not.toContain("live-secret");
  });

  it("reports a wrong command line", async () => {
    for (const words of [["none.jsonl"], [talk, "--run", "2"], [talk, "--", "agent"], [talk, "--speed", "0"]]) {
      const { code, stderr, stdout } = await run("replay", ...words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).not.toContain("    at ");
    }
  });
});

describe("acp-kit trace", () => {
  it("prints the sequence without colours into a pipe", async () => {
    const { code, stdout, stderr } = await run("trace", talk);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/client ──> agent session\/prompt 3 s1 {2}"\/echo hello"\n/);
    expect(stdout).toMatch(/client <·· agent session\/prompt 3 s1 \(\d+ ms\) {2}end_turn\n/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what this is about
    expect(stdout).not.toMatch(/\u001b/);
  });

  it("has colours with FORCE_COLOR, and none with NO_COLOR", async () => {
    const env = { ...process.env, FORCE_COLOR: "1", NO_COLOR: "" };
    const painted = await new Promise<string>((resolve) => {
      execFile(process.execPath, [acpKit, "trace", talk], { env }, (_, stdout) => resolve(stdout));
    });
    expect(painted).toContain("\u001b[36minitialize");
  });

  it("skips and reports an incomplete last line", async () => {
    const torn = join(directory, "torn.jsonl");
    writeFileSync(torn, readFileSync(talk));
    appendFileSync(torn, '{"t":99,"kind":"mess');
    const { code, stdout, stderr } = await run("trace", torn);
    expect(code).toBe(0);
    expect(stdout.split("\n").length).toBeGreaterThan(8);
    expect(stderr).toContain("the last line, is incomplete");
  });

  it.skipIf(!hasPage)("writes one HTML file", async () => {
    const { code } = await run("trace", talk, "--html", "talk.html");
    expect(code).toBe(0);
    expect(readFileSync(join(directory, "talk.html"), "utf8")).toMatch(
      /^<!doctype html>[\s\S]*session\/prompt[\s\S]*<\/html>\n$/,
    );
  });

  it("names the package that --html needs, if it is not installed", async () => {
    const hook = `export function resolve(name, context, next) {
      if (name === "@acp-kit/inspector") throw Object.assign(new Error(name), { code: "ERR_MODULE_NOT_FOUND" });
      return next(name, context);
    }`;
    const url = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
    const register = url(`import { register } from "node:module"; register(${JSON.stringify(url(hook))});`);
    const { code, stderr } = await new Promise<{ code: number; stderr: string }>((resolve) => {
      const words = ["--import", register, acpKit, "trace", talk, "--html", "absent.html"];
      const child = execFile(process.execPath, words, { cwd: directory }, (_, __, stderr) =>
        resolve({ code: child.exitCode ?? -1, stderr }),
      );
    });
    expect(code).toBe(2);
    expect(stderr).toContain("acp-kit trace --html needs the package @acp-kit/inspector. Install it with: npm install");
    expect(existsSync(join(directory, "absent.html"))).toBe(false);
  });

  it("reports a file that is not a recording", async () => {
    writeFileSync(join(directory, "notes.txt"), "hello\n");
    const { code, stderr } = await run("trace", "notes.txt");
    expect(code).toBe(2);
    expect(stderr).toContain("The file is not a recording");
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { scriptSettings, writeAgentSettings } from "../../test/agent-settings.js";
import { rawAgent, sandbox, start } from "../../test/spawned.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

/** A token by its form, and values that are secrets because of the place where the command line got them. */
const bearer = "MARKER-bearer-0123456789abcdef";
const fromEnvironment = "MARKERenvironment0123456789";
const fromMcpFile = "MARKERmcp0123456789abcdef";
const markers = [bearer, fromEnvironment, fromMcpFile];
const env = { EXAMPLE_API_KEY: fromEnvironment };
const mcp = join(home, "mcp.json");
writeFileSync(mcp, JSON.stringify({ mcpServers: { one: { command: "x", env: { KEY: fromMcpFile } } } }));
const leaky = rawAgent("leaky", markers.join(","));
const leakyStart = rawAgent("leaky-start", bearer);

describe("secret.command-line: what an agent logs is printed and kept without secrets", () => {
  it.each([
    ["run", ["run", "Hello"], leaky],
    ["run --format json", ["run", "Hello", "--format", "json"], leaky],
    ["run --format jsonl", ["run", "Hello", "--format", "jsonl"], leaky],
    ["run --log-level debug", ["run", "Hello", "--log-level", "debug"], leaky],
    ["an agent that doesn't start", ["run", "Hello", "--format", "json"], leakyStart],
    ["chat", ["chat"], leaky],
    ["chat --log-level debug", ["chat", "--log-level", "debug"], leaky],
    ["a chat whose agent doesn't start", ["chat"], leakyStart],
    ["doctor", ["doctor"], leakyStart],
    ["doctor --json", ["doctor", "--json"], leakyStart],
    ["doctor --log-level debug", ["doctor", "--log-level", "debug"], leakyStart],
  ])("secret.command-line: %s", async (_name, words, agent) => {
    const all = words[0] === "doctor" ? words : [...words, "--mcp", mcp];
    const stdin = "hello\n/trace\n/trace save trace.jsonl\n";
    const { code, out, err } = await (await start([...all, ...agent], home, { cwd, env, stdin })).ended;
    expect(code).not.toBe(0);
    for (const marker of markers) expect(out + err.replaceAll(markers.join(","), "")).not.toContain(marker);
  });

  it.each([["run"], ["doctor"]])(
    "secret.command-line: %s of an agent that logs a key of its settings",
    async (command) => {
      const key = "MARKERsettings0123456789";
      const script = "process.stderr.write(process.env.OWN + '\\n'); process.exit(3)";
      writeAgentSettings(home, { mine: scriptSettings(script, { OWN: key }) });
      const words = [command, ...(command === "run" ? ["Hello"] : []), "--agent", "mine", "--log-level", "debug"];
      const { code, out, err } = await (await start(words, home, { cwd })).ended;
      expect(code).not.toBe(0);
      expect(out + err).toContain("[redacted]");
      expect(out + err).not.toContain(key);
    },
  );

  it.each([[], ["--json"]])("sessions show %j", async (...options) => {
    const words = ["sessions", "show", "s1", ...options, ...rawAgent("history", fromEnvironment)];
    const { code, out } = await (await start(words, home, { cwd, env })).ended;
    expect(code).toBe(0);
    expect(out).toContain("the end");
    expect(out).not.toContain(fromEnvironment.slice(0, 12));
    expect(out).not.toContain(fromEnvironment.slice(12));
  });

  it("the tape of a chat", () => {
    const text = readFileSync(join(cwd, "trace.jsonl"), "utf8");
    expect(text).toContain("request failed");
    for (const marker of markers) expect(text).not.toContain(marker);
  });

  it("the history of a chat", async () => {
    const stdin = `use ${fromEnvironment}\nkept\n/quit\n`;
    await (await start(["chat", ...rawAgent("noisy")], home, { cwd, env, stdin })).ended;
    const history = readFileSync(join(home, ".local", "state", "acp-kit", "chat", "history.jsonl"), "utf8");
    expect(history).toContain("kept");
    expect(history).not.toContain(fromEnvironment);
  });

  it("shows the working directory, which a shell sets as PWD", async () => {
    const words = ["run", "Hello", "--format", "jsonl", ...rawAgent("noisy")];
    const { out } = await (await start(words, home, { cwd, env: { ...env, PWD: cwd, OLDPWD: home } })).ended;
    expect(out).toContain(JSON.stringify({ cwd }).slice(1, -1));
  });

  it("shows them where the user asks for it", async () => {
    const words = ["run", "Hello", "--format", "json", "--show-secrets", ...leaky];
    const { out } = await (await start(words, home, { cwd })).ended;
    expect(out).toContain(fromMcpFile);
  });
});

it.each(["json", "jsonl", "text"])(
  "hostile.json-output: run --format %s ends well when an update nests 10,000 deep",
  async (format) => {
    const words = ["run", "Hello", "--format", format, ...rawAgent("deep")];
    const { out } = await (await start(words, home, { cwd })).ended;
    for (const line of format === "text" ? [] : out.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
    if (format === "json") expect(JSON.parse(out)).toHaveProperty("stopReason");
  },
);

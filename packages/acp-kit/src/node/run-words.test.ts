import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeHost, run } from "../../test/fake-host.js";
import { Output } from "./output.js";
import { runWords } from "./run-words.js";

afterEach(() => vi.unstubAllEnvs());

describe("help", () => {
  it("lists every command with a line for each", async () => {
    const { code, out, err } = await run(["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const name of ["run", "doctor", "agents", "demo-agent"]) expect(out).toMatch(new RegExp(`^  ${name} .+`, "m"));
  });

  it.each(["run", "doctor", "agents", "demo-agent"])("of %s says what it is for, and how it is used", async (name) => {
    const { code, out } = await run([name, "--help"]);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: acp-kit ${name}`);
    expect(await run(["help", name])).toMatchObject({ code: 0, out });
  });

  it.each([
    [["help"], ["--help"]],
    [["help", "--help"], ["--help"]],
    [
      ["help", "agents"],
      ["agents", "--help"],
    ],
    [
      ["help", "agents", "install"],
      ["agents", "install", "--help"],
    ],
    [
      ["agents", "help", "install"],
      ["agents", "install", "--help"],
    ],
    [
      ["agents", "help", "--help"],
      ["agents", "--help"],
    ],
  ])("%j prints the same as %j", async (words, same) => {
    const { code, out, err } = await run(same);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(await run(words)).toEqual({ code, out, err });
  });

  it("of run names every format and every exit code", async () => {
    const { out } = await run(["run", "--help"]);
    for (const word of ["text", "json", "jsonl", "0 end_turn", "130 cancelled"]) expect(out).toContain(word);
  });

  it("of conformance names the time limits of a scenario that @acp-kit/conformance documents", async () => {
    const readme = readFileSync(new URL("../../../conformance/README.md", import.meta.url), "utf8");
    const [agent, client] = [/\| `timeoutMs` \| ([\d,]+) for a scenario/, /([\d,]+) ms for a scenario/].map((pattern) =>
      Number((pattern.exec(readme)?.[1] ?? "").replaceAll(",", "")),
    );
    for (const [name, milliseconds = 0] of [
      ["agent", agent],
      ["client", client],
    ] as const) {
      const { out } = await run(["conformance", name, "--help"]);
      const [option = ""] = /--timeout [\s\S]*?\)/.exec(out) ?? [];
      expect(option).toContain(`(default: ${milliseconds / 1_000})`);
    }
  });

  it("is printed without arguments, as an error", async () => {
    const { code, out, err } = await run([]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("Usage: acp-kit <command>");
  });
});

it("prints its version", async () => {
  expect(await run(["--version"])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) });
});

describe("a usage error is exit code 2, printed on standard error, and starts nothing", () => {
  it.each<[readonly string[], string]>([
    [["rnu"], "(Did you mean run?)"],
    [["rnu", "--help"], "unknown command 'rnu'\n(Did you mean run?)"],
    [["help", "rnu"], "unknown command 'rnu'\n(Did you mean run?)"],
    [["agents", "instal", "gemini"], "unknown command 'instal'\n(Did you mean install?)"],
    [["agents", "instal", "--help"], "unknown command 'instal'\n(Did you mean install?)"],
    [["agents", "help", "instal"], "unknown command 'instal'\n(Did you mean install?)"],
    [["agents", "--instaled"], "(Did you mean --installed?)"],
    [["conformance", "agnet", "--help"], "unknown command 'agnet'\n(Did you mean agent?)"],
    [["run", "--fromat", "json"], "(Did you mean --format?)"],
    [["run", "--format", "xml"], "Allowed choices are text, json, jsonl"],
    [["run", "--permissions", "maybe"], "Allowed choices are ask, allow, reject, reads"],
    [["run", "--timeout", "soon", "--", "x"], "Expected seconds"],
    [["run", "--timeout", "-1", "--", "x"], "Expected seconds"],
    [["run", "--timeout", "2000001", "--", "x"], "at most 2,000,000"],
    [["conformance", "agent", "--timeout", "3000000", "--", "x"], "Expected seconds"],
    [["conformance", "agent", "--turn-timeout", "3000000", "--", "x"], "Expected seconds"],
    [["conformance", "client", "--step", "0", "--", "x"], "Expected seconds"],
    [["run", "--cwd", "/no/such/folder", "--", "x"], "does not exist"],
    [["run", "--log-level", "loud", "--", "x"], "error, warn, info, debug"],
    [["run", "--prompt", "hi"], "The agent is missing"],
    [["run", "--prompt", "", "--", "x"], "The prompt is empty"],
    [["run", "--", "x"], "The prompt is empty: standard input was empty"],
    [["run", "Explain this project"], "The agent is missing"],
    [["run", "opencode"], 'The agent is missing, or the prompt: "opencode" can be either'],
    [["run", "Hello", "--prompt", "Hi", "--", "x"], "There are two prompts"],
    [["chat", "Hello", "there", "--", "x"], '"Hello there" is before --'],
    [["run", "--prompt", "hi", "--mcp", "/no/such/file", "--", "x"], "--mcp /no/such/file"],
    [["doctor"], "The agent is missing"],
    // The redaction of secrets must not take the words of a message for the value of an option.
    [["run", "hi", "--token", "a", "--", "x"], '"--token" and "--token-file" need --url'],
    [
      ["run", "hi", "--url", "http://127.0.0.1:1", "--token", "a", "--token-file", "b"],
      '"--token" and "--token-file" both',
    ],
    [["serve", "--tls-key", "a", "--", "x"], '"--tls-cert" and "--tls-key" can only be used together'],
    [["serve", "--listen", "0.0.0.0:0", "--auth", "none", "--", "x"], "can reach 0.0.0.0. Leave this option out"],
  ])("%j", async (words, told) => {
    const { code, out, err } = await run(words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(told);
  });
});

it("doesn't wait for a missing prompt at a terminal", async () => {
  const { code, err } = await run(["run", "--", "x"], { terminal: true });
  expect(code).toBe(2);
  expect(err).toContain("The prompt is missing: put it before --");
});

it.each([
  ["ACP_CWD", "/no/such/folder", "does not exist"],
  ["ACP_TIMEOUT", "soon", "Expected seconds"],
  ["ACP_LOG_LEVEL", "loud", "error, warn, info, debug"],
])("%s is read like its option", async (name, value, told) => {
  vi.stubEnv(name, value);
  const { code, err } = await run(["run", "--prompt", "hi", "--", "x"]);
  expect(code).toBe(2);
  expect(err).toContain(told);
});

it("takes everything behind -- for the agent's, options included", async () => {
  const { code, err } = await run(["run", "--prompt", "hi", "--", "no-such-agent-here", "--format", "xml", "--help"]);
  expect(code).toBe(3);
  expect(err).toContain('Can\'t start the agent "no-such-agent-here"');
});

it("takes the prompt as words before --, between options", async () => {
  const words = ["run", "Explain", "--timeout", "5", "this project", "--", "no-such-agent-here", "--prompt", "x"];
  const { code, err } = await run(words);
  expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining("no-such-agent-here") });
});

it.each([
  ["no-such-agent-here", "check the spelling of the command, or install the agent"],
  ["gemini", "install Gemini CLI with: acp-kit agents install gemini"],
  ["./no-such-file", "there is no such file"],
])("says in one sentence that %s is missing, and what to do next", async (program, next) => {
  const path = "/only/this/folder";
  vi.stubEnv("PATH", path);
  for (const words of [["run", "Hello"], ["chat"], ["doctor"]]) {
    const { code, err, out } = await run([...words, "--", program]);
    expect(code).toBe(3);
    const told = (err + out).trim();
    expect(told).toContain(`Can't start the agent "${program}"`);
    expect(told).toContain(next);
    expect(told).not.toContain(path);
    expect(told).not.toContain("loginEnvironment");
  }
});

it("fails if the result can't be written, but not if the reader has closed the pipe", async () => {
  const results = ["ENOSPC", "EPIPE"].map(async (code) => {
    const write = (_chunk: unknown, _encoding: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error(`write ${code}`), { code }));
    const host = { ...fakeHost(), stdout: new Output(new Writable({ write }), {}) };
    return [await runWords(["--version"], host), host.err()];
  });
  expect(await Promise.all(results)).toEqual([
    [1, expect.stringContaining("Can't write to standard output, so the result is incomplete: write ENOSPC")],
    [0, ""],
  ]);
});

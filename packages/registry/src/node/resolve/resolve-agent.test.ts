import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { agentOf, agentScript, binaryOf, entryOf, sha256Of, temporaryFolder } from "../../../test/fixtures.js";
import { TestServer } from "../../../test/server.js";
import { AgentRegistry } from "../catalog/agent-registry.js";
import type { RegistryAgent } from "../catalog/registry-document.js";
import { detectAgents } from "../detect/detect-agents.js";
import { probeAgent } from "../detect/probe-agent.js";
import { editorFiles } from "../settings/editor-settings.js";
import { openInstallStore } from "../store/install-store.js";
import { type ResolveAgentOptions, resolveAgent } from "./resolve-agent.js";
import { warmAgents } from "./warm-agents.js";

let place: ReturnType<typeof temporaryFolder>;
let server: TestServer;
let env: Record<string, string>;
beforeEach(async () => {
  place = temporaryFolder();
  server = await new TestServer().start();
  mkdirSync(join(place.path, "bin"));
  env = {
    HOME: place.path,
    USERPROFILE: place.path,
    APPDATA: join(place.path, "appdata"),
    LOCALAPPDATA: join(place.path, "local"),
    PATH: [join(place.path, "bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
  };
});
afterEach(async () => {
  await server.close();
  place.remove();
});

function registry(...agents: readonly RegistryAgent[]): AgentRegistry {
  return new AgentRegistry([{ name: "test", state: "local", checkedAt: undefined, agents, problems: [] }]);
}

function served(version = "1.0.0"): RegistryAgent {
  const bytes = Buffer.from(agentScript(version));
  server.routes.set("/agent", bytes);
  return agentOf(
    binaryOf({ archive: `${server.url}/agent`, cmd: "./agent", sha256: sha256Of(bytes), args: ["--acp"] }),
    { version },
  );
}

function write(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
}

const settings = (value: unknown) => write(join(place.path, ".config", "acp-kit", "agents.json"), value);
const resolve = (name: string, options: ResolveAgentOptions = {}) =>
  resolveAgent(name, { env, registry: registry(served()), ...options });

function program(name: string, script = agentScript()): void {
  writeFileSync(join(place.path, "bin", name), script);
  chmodSync(join(place.path, "bin", name), 0o755);
}

describe.skipIf(process.platform === "win32")("an agent by its name", () => {
  it("is installed with install: true, and starts with spawnAgent", async () => {
    await expect(resolve("small")).rejects.toMatchObject({
      code: "not_installed",
      message: expect.stringContaining("acp-kit agents install small"),
    });
    const agent = await resolve("small", { install: true, args: ["--more"] });
    expect(agent).toMatchObject({
      args: ["--acp", "--more"],
      agent: { id: "small", name: "Small", origin: "installed", version: "1.0.0" },
    });
    await using connection = await connectAgent(spawnAgent(agent));
    expect(connection.info).toMatchObject({ name: "small", version: "1.0.0" });
    // The installed agent needs neither the registry nor a network.
    const again = await resolve("small", { registry: () => Promise.reject(new Error("not needed")) });
    expect(again.command).toBe(agent.command);
  });

  it("rejects an unknown name with three similar names and how to add an agent", async () => {
    const unknown = resolve("smal");
    await expect(unknown).rejects.toMatchObject({
      code: "unknown_agent",
      message: expect.stringMatching(
        /^There is no agent "smal"\. The nearest names are small, \S+, \S+\. To add an agent of your own, put it into .*agents\.json: \{ "agents": \{ "smal": /,
      ),
    });
  });

  it("comes from the user's settings first: a command, or changes to another agent", async () => {
    settings({
      agents: {
        mine: { command: "my-agent", args: ["--acp"], env: { A: "1" }, permissions: "reads", model: "m", mode: "plan" },
        small: { env: { SMALL: "changed" }, args: ["--verbose"], model: "large" },
        other: { agent: "small", env: { SMALL: "other" } },
      },
    });
    expect(await resolve("mine")).toEqual({
      command: "my-agent",
      args: ["--acp"],
      env: { A: "1" },
      agent: expect.objectContaining({
        id: "mine",
        origin: "settings",
        permissions: "reads",
        model: "m",
        mode: "plan",
        file: expect.stringMatching(/agents\.json$/),
      }),
    });
    const changed = await resolve("small", { install: true });
    expect(changed).toMatchObject({
      args: ["--acp", "--verbose"],
      env: { SMALL: "changed" },
      agent: { model: "large", version: "1.0.0" },
    });
    expect(await resolve("other")).toMatchObject({ args: ["--acp", "--verbose"], env: { SMALL: "other" } });
    settings({ agents: { a: { agent: "b" }, b: { agent: "a" } } });
    const message = expect.stringMatching(
      /^The settings of the agent "a" have no command, .* The nearest names are (?!a,)/,
    );
    await expect(resolve("a")).rejects.toMatchObject({ code: "unknown_agent", message });
  });

  it.each([
    ["{", /not JSON/],
    ["[]", /expected an object/],
    [{ agents: [] }, /agents: expected an object/],
    [{ agents: { "a b": {} } }, /agents\.a b: expected a name/],
    [{ agents: { a: { comand: "x" } } }, /agents\.a\.comand: unknown member/],
    [{ agents: { a: { command: 1 } } }, /agents\.a\.command: expected a text/],
    [{ agents: { a: { command: "x", args: "y" } } }, /agents\.a\.args: expected a list/],
    [{ agents: { a: { command: "x", env: { "=": "" } } } }, /agents\.a\.env: expected an object of strings/],
    [{ agents: { a: { command: "x", agent: "y" } } }, /expected either `command` or `agent`/],
    [{ registries: [{}] }, /registries\[0\]: expected either/],
    [{ registries: [{ url: "https://a", required: 1 }] }, /registries\[0\]\.required/],
  ])("rejects invalid settings with the path of the invalid member: %j", async (value, message) => {
    settings(value);
    await expect(resolve("small")).rejects.toMatchObject({
      code: "invalid_settings",
      message: expect.stringMatching(message),
    });
  });

  it("comes from the registries of the settings instead of the public registry", async () => {
    const file = join(place.path, "company.json");
    write(file, { version: "1.0.0", agents: [served()] });
    settings({ registries: [{ file, required: true }] });
    expect(await resolveAgent("small", { env, install: true })).toMatchObject({ agent: { id: "small" } });
    rmSync(file);
    await expect(resolveAgent("another", { env })).rejects.toMatchObject({ code: "unreachable" });
  });

  it("comes from the settings of Zed and JetBrains, unless they are invalid or disabled", async () => {
    const [zed = "", jetbrains = ""] = editorFiles(env);
    write(
      zed,
      `// Zed's settings
      { "theme": "One", /* agents */ "agent_servers": {
          "Zed Agent": { "type": "custom", "command": "zed-agent", "args": ["//x", "/* y */"], "env": { "K": "a,}" }, },
          "small": { "type": "registry", "env": { "SMALL": "zed" }, "default_model": "m" },
          "older": { "command": { "path": "older", "args": ["acp"] } },
          "broken": { "command": 1 },
      }, }`,
    );
    write(jetbrains, { agent_servers: { Auggie: { command: "/opt/auggie", args: ["--acp"] } } });
    expect(await resolve("zed-agent")).toMatchObject({
      command: "zed-agent",
      args: ["//x", "/* y */"],
      env: { K: "a,}" },
      agent: { origin: "editor", file: zed },
    });
    expect(await resolve("older")).toMatchObject({ command: "older", args: ["acp"] });
    expect(await resolve("auggie")).toMatchObject({ command: "/opt/auggie", agent: { file: jetbrains } });
    expect(await resolve("small", { install: true })).toMatchObject({
      env: { SMALL: "zed" },
      agent: { model: "m", file: zed },
    });
    await expect(resolve("broken")).rejects.toMatchObject({ code: "unknown_agent" });
    await expect(resolve("older", { editors: false })).rejects.toMatchObject({ code: "unknown_agent" });
    write(zed, "{ broken");
    await expect(resolve("older")).rejects.toMatchObject({ code: "unknown_agent" });
  });

  it("comes from the user's settings of VS Code, without the agents that are turned off", async () => {
    const code = editorFiles(env)[2] ?? "";
    write(
      code,
      `{ // the user's settings
        "acp.agents": { "My Agent": { "command": "~/tools/agent", "args": ["acp"], }, "off": { "command": "x", "disabled": true }, },
      }`,
    );
    expect(await resolve("my-agent")).toMatchObject({
      command: join(env.HOME ?? "", "tools", "agent").replaceAll("\\", "/"),
      args: ["acp"],
      agent: { origin: "editor", file: code },
    });
    await expect(resolve("off")).rejects.toMatchObject({ code: "unknown_agent" });
    write(code, { "acp.agents": [{ name: "Listed", command: "listed" }] });
    expect(await resolve("listed")).toMatchObject({ command: "listed" });
  });

  it("has the user's home for a tilde at the beginning of its command, in all settings", async () => {
    write(editorFiles(env)[0] ?? "", { agent_servers: { "In Home": { command: "~/zed", args: ["~/x"] } } });
    settings({ agents: { own: { command: "~/own" }, other: { command: "/a/~/b" } } });
    expect(await resolve("in-home")).toMatchObject({ command: `${env.HOME}/zed`, args: ["~/x"] });
    expect(await resolve("own")).toMatchObject({ command: `${env.HOME}/own` });
    expect(await resolve("other")).toMatchObject({ command: "/a/~/b" });
  });

  it.each<[NodeJS.Platform, Record<string, string>, string[]]>([
    ["linux", { XDG_CONFIG_HOME: "/c" }, ["/c/zed/settings.json", "/c/Code/User/settings.json"]],
    ["linux", { FLATPAK_XDG_CONFIG_HOME: "/f" }, ["/f/zed/settings.json", "/h/.config/Code/User/settings.json"]],
    [
      "darwin",
      { XDG_CONFIG_HOME: "/c" },
      ["/h/.config/zed/settings.json", "/h/Library/Application Support/Code/User/settings.json"],
    ],
    ["win32", { APPDATA: "/a" }, ["/a/Zed/settings.json", "/a/Code/User/settings.json"]],
    ["win32", {}, ["/h/AppData/Roaming/Zed/settings.json", "/h/AppData/Roaming/Code/User/settings.json"]],
  ])("finds the settings of Zed and VS Code on %s with %o", (platform, variables, [zed, code]) => {
    using _ = {
      [Symbol.dispose]: () => vi.restoreAllMocks(),
      spy: vi.spyOn(process, "platform", "get").mockReturnValue(platform),
    };
    const files = editorFiles({ HOME: "/h", ...variables }).map((file) => file.replaceAll("\\", "/"));
    expect(files).toEqual([zed, "/h/.jetbrains/acp.json", code]);
  });

  it("is a known program on the PATH, by its id or by its command", async () => {
    program("qwen");
    expect(await resolve("qwen-code")).toMatchObject({
      command: join(place.path, "bin", "qwen"),
      args: ["--acp"],
      agent: { id: "qwen-code", origin: "path" },
    });
    expect(await resolve("qwen")).toMatchObject({ agent: { id: "qwen-code" } });
  });

  it.skipIf(process.platform === "win32").each([
    ["0.30.0", "--experimental-acp"],
    ["0.61.0", "--acp"],
  ])("is started with the arguments of its version: Gemini CLI %s from npm with %s", async (version, argument) => {
    const folder = join(place.path, "lib", "node_modules", "@google", "gemini-cli");
    write(join(folder, "package.json"), { name: "@google/gemini-cli", version, bin: { gemini: "dist/index.js" } });
    write(join(folder, "dist", "package.json"), { type: "commonjs" });
    const needs = `if (!process.argv.includes(${JSON.stringify(argument)})) process.exit(1);`;
    write(join(folder, "dist", "index.js"), agentScript(version, needs));
    chmodSync(join(folder, "dist", "index.js"), 0o755);
    symlinkSync(join(folder, "dist", "index.js"), join(place.path, "bin", "gemini"));
    expect(await resolve("gemini")).toMatchObject({
      args: [argument],
      agent: { id: "gemini", origin: "path", version },
    });
    const [found] = await detectAgents({ env, probe: true, cacheDirectory: join(place.path, "cache") });
    expect(found).toMatchObject({ id: "gemini", args: [argument], version, probe: { speaks: true, version } });
    const [unprobed] = await detectAgents({ env });
    expect(unprobed).toMatchObject({ args: [argument], env: {}, version });
  });

  it("has no version if it is not the program of an npm package", async () => {
    program("gemini");
    write(join(place.path, "package.json"), { version: "0.1.0", bin: { other: "other.js" } });
    expect(await resolve("gemini")).toMatchObject({ args: ["--acp"] });
    expect((await resolve("gemini")).agent).not.toHaveProperty("version");
    write(join(place.path, "bin", "package.json"), "{");
    expect((await resolve("gemini")).agent).not.toHaveProperty("version");
  });

  it("takes the names that people type for agents with longer ids, after the user's own names", async () => {
    program("claude-agent-acp");
    program("codex-acp");
    expect((await resolve("claude")).command).toBe(join(place.path, "bin", "claude-agent-acp"));
    expect((await resolve("codex")).command).toBe(join(place.path, "bin", "codex-acp"));
    settings({ agents: { claude: { command: process.execPath } } });
    expect((await resolve("claude")).command).toBe(process.execPath);
  });

  it("is an installed agent before a program on the PATH, unless the installation is damaged", async () => {
    program("goose");
    const store = openInstallStore({ env });
    const installed = await store.install({ ...entryOf({}), agent: { ...served(), id: "goose" } });
    expect(await resolve("goose")).toMatchObject({ agent: { origin: "installed" } });
    rmSync(join(installed.directory, "content"), { recursive: true });
    expect(await resolve("goose")).toMatchObject({ agent: { origin: "path" } });
  });
});

describe.skipIf(process.platform === "win32")("agents on the PATH", () => {
  const detect = (probe: boolean) => detectAgents({ env, probe, cacheDirectory: join(place.path, "cache") });

  it("are found, and probed again only after their file changes", async () => {
    program(
      "goose",
      agentScript("1.2.3", `require("fs").appendFileSync(${JSON.stringify(join(place.path, "starts"))}, "x");`),
    );
    program("kimi", "#!/bin/sh\necho I am broken >&2; exit 3\n");
    expect((await detect(false)).map(({ id, path }) => [id, path])).toEqual([
      ["goose", join(place.path, "bin", "goose")],
      ["kimi", join(place.path, "bin", "kimi")],
    ]);
    const starts = async () => (await import("node:fs")).readFileSync(join(place.path, "starts"), "utf8");
    const found = await detect(true);
    expect(found).toMatchObject([
      {
        id: "goose",
        probe: { speaks: true, name: "small", version: "1.2.3", protocolVersion: 1, authMethods: [], leftBehind: [] },
      },
      { id: "kimi", probe: { speaks: false, error: expect.stringContaining("I am broken") } },
    ]);
    expect(await detect(true)).toEqual(found);
    expect(await starts()).toBe("x");
    program("goose", agentScript("1.2.4"));
    expect((await detect(true))[0]?.probe).toMatchObject({ version: "1.2.4" });
  });
});

it("an error for a known agent that is not here names its program, and does not suggest the name itself", async () => {
  const error = await resolve("gemini").catch(({ message }: Error) => message);
  expect(error).toMatch(
    /^The agent "gemini" is not on this machine: its program "gemini" is not on the PATH, and no registry has the agent\. The nearest names are /,
  );
  expect(error).not.toMatch(/nearest names are [^.]*gemini/);
});

it("a probe without a folder for temporary files is a failed probe", async () => {
  program("goose");
  for (const name of ["TMPDIR", "TMP", "TEMP"]) vi.stubEnv(name, join(place.path, "missing"));
  try {
    expect(await probeAgent(await resolve("goose"))).toMatchObject({
      speaks: false,
      error: expect.stringContaining("Can't create a temporary folder"),
    });
  } finally {
    vi.unstubAllEnvs();
  }
});

describe.skipIf(process.platform === "win32")("warm agents", () => {
  it("are initialized in advance, and replaced after take()", async () => {
    program("goose");
    await using warm = warmAgents(await resolve("goose"), { size: 2 });
    await warm.ready;
    const [one, two, three] = [await warm.take(), await warm.take(), await warm.take()];
    expect([one, two, three].map(({ info }) => info?.name)).toEqual(["small", "small", "small"]);
    expect(new Set([one, two, three]).size).toBe(3);
    await Promise.all([one.close(), two.close(), three.close()]);
    await warm.close();
    await expect(warm.take()).rejects.toThrow(TypeError);
    expect(() => warmAgents({ command: "x" }, { size: 0 })).toThrow(TypeError);
  });

  it("that never respond to initialize are ended by close(), and taken agents stay", async () => {
    program("goose");
    await using warm = warmAgents(await resolve("goose"));
    await warm.ready;
    const taken = await warm.take();
    await warm.close();
    expect(taken.state).not.toBe("closed");
    await taken.close();
    program("goose", "#!/usr/bin/env node\nprocess.stdin.resume();\n");
    const silent = warmAgents(await resolve("goose"));
    await silent.close();
    await expect(silent.take()).rejects.toThrow(TypeError);
  });

  it("end with the application's signal while they start", async () => {
    program("goose", "#!/usr/bin/env node\nprocess.stdin.resume();\n");
    const stop = new AbortController();
    await using warm = warmAgents(await resolve("goose"), { connect: { signal: stop.signal } });
    const taken = warm.take();
    stop.abort(new Error("the user left"));
    await expect(taken).rejects.toThrow("the user left");
  });

  it("that can't start reject take() with the reason", async () => {
    await using warm = warmAgents({ command: join(place.path, "missing") });
    await expect(warm.take()).rejects.toMatchObject({ cause: { code: "not_found" } });
  });
});

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentScript, entryOf, servePackages, smallPackage, temporaryFolder } from "../../../test/fixtures.js";
import { TestServer } from "../../../test/server.js";
import { probeAgent } from "../detect/probe-agent.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import { launchOfInstalled } from "../resolve/launch-of.js";
import { InstallStore, openInstallStore } from "./install-store.js";

let place: ReturnType<typeof temporaryFolder>;
let server: TestServer;
beforeEach(async () => {
  place = temporaryFolder();
  server = await new TestServer().start();
});
afterEach(async () => {
  await server.close();
  place.remove();
});

/** An environment in which npm uses only the server of this test. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  const { PATH = "", SystemRoot } = process.env;
  return {
    PATH,
    HOME: place.path,
    npm_config_cache: join(place.path, "npm-cache"),
    npm_config_userconfig: join(place.path, "npmrc"),
    ...(SystemRoot && { SystemRoot }),
    ...more,
  };
}

function storeWith(env: Record<string, string>): InstallStore {
  return openInstallStore({ directory: join(place.path, "agents"), env: environment(env) });
}

const npx = (version: string, more = {}) =>
  entryOf({ npx: { package: `@test/small@${version}`, args: ["--acp"], env: { SMALL: "yes" }, ...more } }, { version });
const hasNpm = findProgram("npm", programsHere(process.env)) !== undefined;
if (!hasNpm) console.log("Not run: packages of npm, because there is no npm on the PATH.");

describe.skipIf(!hasNpm)("packages of npm", { timeout: 120_000 }, () => {
  it("registry.offline: are installed with dependencies, verified and pinned, and start without npx and without a network", async () => {
    const files = { "agent.js": agentScript("1.0.0", 'import "@test/dependency";') };
    const manifest = { type: "module", bin: { small: "agent.js" }, dependencies: { "@test/dependency": "^1.0.0" } };
    const dependency = {
      name: "@test/dependency",
      version: "1.4.0",
      files: { "index.js": "" },
      manifest: { type: "module", main: "index.js" },
    };
    const env = servePackages(server, [smallPackage("1.0.0", { files, manifest }), dependency]);
    const store = storeWith({ ...env, npm_config_prefix: "/nowhere", npm_lifecycle_event: "test" });
    const installed = await store.install(npx("1.0.0"));
    expect(installed).toMatchObject({
      version: "1.0.0",
      kind: "npx",
      from: "@test/small",
      integrity: expect.stringMatching(/^sha512-/),
    });
    await server.close();
    const launch = launchOfInstalled(installed, process.env);
    expect(launch).toMatchObject({
      command: process.execPath,
      args: [expect.stringMatching(/agent\.js$/), "--acp"],
      env: { SMALL: "yes" },
    });
    expect(await probeAgent(launch)).toMatchObject({ speaks: true, version: "1.0.0" });
    await server.start();
  });

  it("are installed although the user's npm settings turn off what the installation needs", async () => {
    const store = storeWith(servePackages(server, [smallPackage("1.0.0")]));
    const settings = ["package-lock=false", "save=false", "dry-run=true", "install-strategy=linked", "global=true"];
    for (const setting of settings) {
      writeFileSync(join(place.path, "npmrc"), `${setting}\n`);
      const installed = await store.install(npx("1.0.0"));
      expect(installed, setting).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
      await store.remove("small");
    }
  });

  it("run the scripts that the caller allows, although the user's npm settings forbid scripts", async () => {
    const manifest = { bin: { small: "agent.js" }, scripts: { postinstall: "node agent.js mark" } };
    const files = { "agent.js": `if (process.argv[2] === "mark") require("fs").writeFileSync("marked", "");` };
    const store = storeWith(servePackages(server, [smallPackage("1.0.0", { files, manifest })]));
    writeFileSync(join(place.path, "npmrc"), "ignore-scripts=true\n");
    const { directory } = await store.install(npx("1.0.0"), { scripts: true });
    expect(existsSync(join(directory, "node_modules", "@test", "small", "marked"))).toBe(true);
  });

  it("are installed into a relative directory, and start in any working directory", async () => {
    const env = environment(servePackages(server, [smallPackage("1.0.0")]));
    const store = openInstallStore({ directory: relative(process.cwd(), join(place.path, "agents")), env });
    const installed = await store.install(npx("1.0.0"));
    expect(installed.directory.startsWith(join(place.path, "agents"))).toBe(true);
    expect(await probeAgent(launchOfInstalled(installed, process.env))).toMatchObject({ speaks: true });
  });

  it("are installed and pinned in the version that the caller chooses; an unknown version is refused", async () => {
    const store = storeWith(
      servePackages(server, [smallPackage("1.0.0"), smallPackage("1.1.0"), smallPackage("2.0.0")]),
    );
    expect(await store.install(npx("2.0.0"), { version: "1.1.0" })).toMatchObject({
      version: "1.1.0",
      heldBy: "version",
    });
    await expect(store.install(npx("2.0.0"), { version: "9.9.9" })).rejects.toMatchObject({ code: "no_distribution" });
    await expect(store.install(npx("2.0.0"), { version: "--evil" })).rejects.toMatchObject({ code: "no_distribution" });
    const released = await store.install(npx("2.0.0"));
    expect(released).toMatchObject({ version: "2.0.0", previous: { version: "1.1.0" } });
    expect(released).not.toHaveProperty("heldBy");
  });

  it("are installed again if the registry names another package for the same version", async () => {
    const other = { ...smallPackage("1.0.0"), name: "@other/small" };
    const store = storeWith(servePackages(server, [smallPackage("1.0.0"), other]));
    await store.install(npx("1.0.0"));
    const moved = entryOf({ npx: { package: "@other/small@1.0.0" } });
    expect(await store.install(moved, { version: "1.0.0" })).toMatchObject({ from: "@other/small" });
    expect(await store.install(npx("1.0.0"))).toMatchObject({
      from: "@test/small",
      previous: { from: "@other/small" },
    });
  });

  it("are refused if the tarball does not match the published integrity", async () => {
    const env = servePackages(server, [smallPackage("1.0.0")]);
    const other = await new TestServer().start();
    servePackages(other, [smallPackage("1.0.0", { files: { "agent.js": "evil" } })]);
    server.routes.set("/-/@test/small-1.0.0.tgz", other.routes.get("/-/@test/small-1.0.0.tgz") ?? "");
    await other.close();
    await expect(storeWith(env).install(npx("1.0.0"))).rejects.toMatchObject({ code: "checksum_mismatch" });
  });

  it("registry.pinned: are refused if the bytes of a pinned version have changed", async () => {
    const store = storeWith(servePackages(server, [smallPackage("1.0.0")]));
    const installed = await store.install(npx("1.0.0"));
    rmSync(join(installed.directory, "node_modules"), { recursive: true });
    servePackages(server, [smallPackage("1.0.0", { files: { "agent.js": `${agentScript("1.0.0")}// another` } })]);
    rmSync(join(place.path, "npm-cache"), { recursive: true, force: true });
    await expect(store.install(npx("1.0.0"))).rejects.toMatchObject({
      code: "checksum_mismatch",
      message: expect.stringContaining("installed before"),
    });
  });

  it("are reported as no_distribution if the version or the program is missing, and as unreachable offline", async () => {
    const env = servePackages(server, [
      smallPackage("1.0.0", { manifest: {} }),
      smallPackage("1.1.0", { manifest: { bin: { a: "agent.js", b: "other.js" } } }),
    ]);
    const store = storeWith(env);
    await expect(store.install(npx("3.0.0"))).rejects.toMatchObject({ code: "no_distribution" });
    await expect(store.install(npx("1.0.0"))).rejects.toMatchObject({
      code: "no_distribution",
      message: expect.stringContaining("has no program"),
    });
    await expect(store.install(npx("1.1.0"))).rejects.toMatchObject({
      code: "no_distribution",
      message: expect.stringContaining("has no program"),
    });
    expect(await store.install(npx("1.1.0", { cmd: "a" }))).toMatchObject({ version: "1.1.0" });
    await server.close();
    await expect(storeWith(env).install(entryOf({ npx: { package: "@test/new@1.0.0" } }))).rejects.toMatchObject({
      code: "unreachable",
    });
    await server.start();
  });

  it.each([{ version: undefined }, { version: "" }])("are refused if the packed manifest has %j", async (packed) => {
    const store = storeWith(servePackages(server, [smallPackage("1.0.0", { packed })]));
    await expect(store.install(npx("1.0.0"))).rejects.toMatchObject({ name: "RegistryError" });
    expect(await store.list()).toEqual([]);
  });

  it("are installed with a note if they need another Node", async () => {
    const manifest = { bin: "agent.js", engines: { node: ">=99" } };
    const store = storeWith(servePackages(server, [smallPackage("1.0.0", { manifest })]));
    expect((await store.install(npx("1.0.0"))).notes).toEqual([
      `The agent needs Node >=99, but this is Node ${process.versions.node}. The agent may not start.`,
    ]);
  });

  it.each(["file:../evil", "git+https://example.com/a", "https://example.com/a.tgz", "--prefix=/", "a b", "../a"])(
    "are refused unless the name is a package name: %s",
    async (name) => {
      const refused = storeWith({}).install(entryOf({ npx: { package: name } }));
      await expect(refused).rejects.toMatchObject({ code: "invalid_registry" });
    },
  );

  it("without npm, the error says what the user has to install", async () => {
    const store = openInstallStore({ directory: join(place.path, "agents"), env: { PATH: place.path } });
    await expect(store.install(npx("1.0.0"))).rejects.toMatchObject({
      code: "missing_tool",
      message: expect.stringContaining("Install Node.js with npm"),
    });
  });
});

describe.skipIf(process.platform === "win32")("packages of PyPI", () => {
  /**
   * A substitute for uv, which the tests can't install. It does what the documentation of `uv tool install` describes
   * for these variables.
   */
  function fakeUv(script: string): Record<string, string> {
    const bin = join(place.path, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "uv"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, "uv"), 0o755);
    return { PATH: [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) };
  }

  const install = (script: string) => {
    const agent = join(place.path, "agent.js");
    writeFileSync(agent, agentScript("0.9.0"));
    return fakeUv(`echo "$@" > ${join(place.path, "words")}; mkdir -p "$UV_TOOL_DIR/fast" "$UV_TOOL_BIN_DIR"
cp ${agent} "$UV_TOOL_DIR/fast/program"; chmod +x "$UV_TOOL_DIR/fast/program"
ln -s "$UV_TOOL_DIR/fast/program" "$UV_TOOL_BIN_DIR/fast-agent-acp"; ${script}`);
  };
  const uvx = entryOf(
    { uvx: { package: "fast-agent-acp==0.9.0", args: ["-x"] } },
    { id: "fast-agent", version: "0.9.0" },
  );

  it("are installed through uv into a folder of their own, and start without uvx", async () => {
    const store = storeWith(install(""));
    const installed = await store.install(uvx);
    expect(installed).toMatchObject({ kind: "uvx", version: "0.9.0", from: "fast-agent-acp" });
    expect(readFileSync(join(place.path, "words"), "utf8").trim()).toBe("tool install --quiet fast-agent-acp==0.9.0");
    expect(launchOfInstalled(installed, process.env)).toMatchObject({
      command: join(installed.directory, "bin/fast-agent-acp"),
      args: ["-x"],
    });
    expect(await probeAgent(launchOfInstalled(installed, process.env))).toMatchObject({ version: "0.9.0" });
  });

  it("a failure of uv, a missing program and a missing uv are reported", async () => {
    const failing = storeWith(fakeUv("echo 'No solution found when resolving' >&2; exit 1"));
    await expect(failing.install(uvx)).rejects.toMatchObject({
      code: "no_distribution",
      message: expect.stringContaining("No solution found"),
    });
    await expect(storeWith(fakeUv("true")).install(uvx)).rejects.toMatchObject({
      code: "no_distribution",
      message: expect.stringContaining('no program "fast-agent-acp"'),
    });
    const without = openInstallStore({
      directory: join(place.path, "agents"),
      env: { PATH: join(place.path, "none") },
    });
    await expect(without.install(uvx)).rejects.toMatchObject({
      code: "missing_tool",
      message: expect.stringContaining("docs.astral.sh/uv"),
    });
  });

  it("an installer that something else has ended is reported with the signal", async () => {
    await expect(storeWith(fakeUv("kill -9 $$")).install(uvx)).rejects.toMatchObject({
      code: "installer_failed",
      message: expect.stringContaining("uv was ended by the signal SIGKILL"),
    });
  });

  it("an installer that hangs is ended with its children", async () => {
    const env = environment(fakeUv("sleep 600 & echo $! > $HOME/pid; wait"));
    const store = new InstallStore({ directory: join(place.path, "agents"), env }, { installerMs: 1_000 });
    await expect(store.install(uvx)).rejects.toMatchObject({
      code: "installer_failed",
      message: expect.stringContaining("stopped after 1000 ms"),
    });
    const pid = Number(readFileSync(join(place.path, "pid"), "utf8"));
    expect(isRunning(pid)).toBe(false);
  });
});

/** Returns whether a process runs. A process that has ended, but that its parent has not collected, does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^ [ZX]/.test(stat.slice(stat.lastIndexOf(")") + 1));
  } catch {
    return false;
  }
}

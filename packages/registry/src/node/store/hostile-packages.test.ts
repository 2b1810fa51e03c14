import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { entryOf, servePackages, smallPackage, type TestPackage, temporaryFolder } from "../../../test/fixtures.js";
import { TestServer } from "../../../test/server.js";
import { probeAgent } from "../detect/probe-agent.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import { launchOfInstalled } from "../resolve/launch-of.js";
import { type InstallStore, openInstallStore } from "./install-store.js";

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

/** A store whose npm uses only the server of this test. */
function storeWith(packages: readonly TestPackage[], more: Record<string, string> = {}): InstallStore {
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    HOME: place.path,
    npm_config_cache: join(place.path, "npm-cache"),
    npm_config_userconfig: join(place.path, "npmrc"),
    ...servePackages(server, packages),
    ...more,
  };
  return openInstallStore({ directory: join(place.path, "agents"), env });
}

const npx = entryOf({ npx: { package: "@test/small@1.0.0" } });
const hasNpm = findProgram("npm", programsHere(process.env)) !== undefined;
if (!hasNpm) console.log("Not run: hostile packages of npm, because there is no npm on the PATH.");

async function expectRefused(store: InstallStore, code: string): Promise<void> {
  await expect(store.install(npx)).rejects.toMatchObject({ name: "RegistryError", code });
  expect(await store.list()).toEqual([]);
  expect(readdirSync(join(store.directory, "small"))).toEqual([]);
}

describe.skipIf(!hasNpm || process.platform === "win32")(
  "registry.packages: the program of a package",
  { timeout: 120_000 },
  () => {
    it.each(["../../../evil.js", "missing.js", 1])("is refused if it is not a file of the package: %j", async (bin) => {
      writeFileSync(join(place.path, "evil.js"), "");
      const files = { "agent.js": "" };
      const small = smallPackage("1.0.0", { files, manifest: {}, packed: { bin } });
      await expectRefused(storeWith([small]), "no_distribution");
    });

    it.each([
      ["a symbolic link to a program of the system", "2", "/bin/sh"],
      ["a symbolic link out of the installation", "2", "../../../../../evil.js"],
      ["a hard link to a file of the system", "1", "/etc/passwd"],
    ] as const)("is refused if it is %s", async (_, type, link) => {
      writeFileSync(join(place.path, "evil.js"), "");
      const entries = [{ name: "package/agent.js", type, link, mode: 0o755 }];
      await expectRefused(storeWith([smallPackage("1.0.0", { files: {}, entries })]), "no_distribution");
    });

    it("archives of packages write nothing outside of the installation", async () => {
      const names = ["package/../../../../evil", "../../../evil", join(place.path, "evil")];
      const entries = names.map((name) => ({ name, content: "evil" }));
      const store = storeWith([smallPackage("1.0.0", { entries })]);
      await store.install(npx).catch(() => {});
      const found = spawnSync("find", [place.path, "-name", "evil"], { encoding: "utf8" }).stdout.trim().split("\n");
      const outside = found.filter((path) => path !== "" && !path.startsWith(join(store.directory, "small", "")));
      expect(outside).toEqual([]);
    });

    it.each(["file:../../../../../private", "file:/etc", "link:../../../../../private"])(
      "a dependency that is a folder of this machine is refused: %s",
      async (folder) => {
        mkdirSync(join(place.path, "private"));
        writeFileSync(join(place.path, "private", "package.json"), '{ "name": "private", "version": "1.0.0" }');
        const manifest = { bin: { small: "agent.js" }, dependencies: { private: folder } };
        const store = storeWith([smallPackage("1.0.0", { manifest })]);
        await expect(store.install(npx)).rejects.toMatchObject({
          name: "RegistryError",
          code: expect.stringMatching(/^(?:unsafe_archive|installer_failed)$/),
        });
        expect(await store.list()).toEqual([]);
      },
    );
  },
);

describe.skipIf(!hasNpm)("registry.packages: install scripts", { timeout: 120_000 }, () => {
  /** A package whose scripts append their names to a file. */
  function withScripts(name: string, more: Partial<TestPackage> = {}): TestPackage {
    const note = (script: string) =>
      `node -e "require('fs').appendFileSync(process.env.HOME + '/ran', '${name} ${script};')"`;
    const names = ["preinstall", "install", "postinstall", "prepare"];
    const scripts = Object.fromEntries(names.map((script) => [script, note(script)]));
    const { manifest = { bin: { small: "agent.js" } } } = more;
    return { ...smallPackage("1.0.0"), name, ...more, manifest: { ...manifest, scripts } };
  }
  const ran = () => (existsSync(join(place.path, "ran")) ? readFileSync(join(place.path, "ran"), "utf8") : "");
  const manifest = { bin: { small: "agent.js" }, dependencies: { dependency: "1.0.0" } };

  it.each([{}, { npm_config_ignore_scripts: "false", npm_config_foreground_scripts: "true" }])(
    "of a package and its dependencies do not run, independent of npm's settings, and a note for the user says so: %j",
    async (settings) => {
      const packages = [withScripts("@test/small", { manifest }), withScripts("dependency")];
      const store = storeWith(packages, settings);
      const installed = await store.install(npx);
      expect(ran()).toBe("");
      expect(installed.notes).toEqual([
        "The install scripts of @test/small, dependency were not run. If the agent does not start, allow them with: acp-kit agents install --scripts",
      ]);
      expect(await probeAgent(launchOfInstalled(installed, process.env))).toMatchObject({ speaks: true });
    },
  );

  it("that only the packed manifest contains do not run either, and are reported", async () => {
    const scripts = { postinstall: "node -e \"require('fs').writeFileSync(process.env.HOME + '/ran', '')\"" };
    const store = storeWith([smallPackage("1.0.0", { packed: { scripts } })]);
    expect((await store.install(npx)).notes).toEqual([expect.stringContaining("@test/small were not run")]);
    expect(existsSync(join(place.path, "ran"))).toBe(false);
  });

  it("of an optional dependency do not run, without a note", async () => {
    const optional = { bin: { small: "agent.js" }, optionalDependencies: { dependency: "1.0.0" } };
    const store = storeWith([smallPackage("1.0.0", { manifest: optional }), withScripts("dependency")]);
    expect((await store.install(npx)).notes).toEqual([]);
    expect(ran()).toBe("");
  });

  it("run if the caller allows them, also later for an installed version", async () => {
    const store = storeWith([withScripts("@test/small", { manifest }), withScripts("dependency")]);
    expect(await store.install(npx)).not.toHaveProperty("scripts");
    expect(await store.install(npx, { scripts: true })).toMatchObject({ notes: [], scripts: true });
    expect(ran().split(";").sort()).toEqual(
      [
        "",
        ...["@test/small", "dependency"].flatMap((name) =>
          ["install", "postinstall", "preinstall"].map((each) => `${name} ${each}`),
        ),
      ].sort(),
    );
    const folder = (await store.get("small"))?.folder;
    expect(await store.install(npx)).toMatchObject({ folder, scripts: true });
  });

  it("run for a package whose program needs them, and not for its dependencies", async () => {
    const own = { bin: { opencode: "agent.js" }, dependencies: { dependency: "1.0.0" } };
    const store = storeWith([withScripts("opencode-ai", { manifest: own }), withScripts("dependency")]);
    const installed = await store.install(entryOf({ npx: { package: "opencode-ai@1.0.0" } }));
    expect(ran()).toBe("opencode-ai preinstall;opencode-ai install;opencode-ai postinstall;");
    expect(installed.notes).toEqual([expect.stringContaining("The install scripts of dependency were not run")]);
  });

  it.skipIf(findProgram("git", programsHere(process.env)) === undefined)(
    "of a dependency from git do not run",
    async () => {
      const repository = join(place.path, "repository");
      mkdirSync(repository);
      const { manifest = {}, version } = withScripts("from-git");
      writeFileSync(join(repository, "package.json"), JSON.stringify({ name: "from-git", version, ...manifest }));
      for (const words of [
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
      ])
        expect(spawnSync("git", words, { cwd: repository }).status).toBe(0);
      const dependencies = { "from-git": `git+file://${repository}` };
      const store = storeWith([smallPackage("1.0.0", { manifest: { bin: "agent.js", dependencies } })]);
      await store.install(npx).catch(() => {});
      expect(ran()).toBe("");
    },
  );
});

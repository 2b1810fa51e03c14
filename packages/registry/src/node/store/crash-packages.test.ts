import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { delimiter, dirname, join } from "node:path";
import { deferred } from "@acp-kit/protocol/internal";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentScript, entryOf, servePackages, smallPackage, temporaryFolder } from "../../../test/fixtures.js";
import {
  buildInstallProgram,
  type InstallingProcess,
  type InstallProcessOptions,
  type InstallProgram,
  install,
} from "../../../test/installing-process.js";
import { type Route, TestServer } from "../../../test/server.js";
import type { RegistryEntry } from "../catalog/agent-registry.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import { type InstallStore, openInstallStore } from "./install-store.js";

let program: InstallProgram;
beforeAll(async () => {
  program = await buildInstallProgram("crash-packages-test");
});
afterAll(() => program.remove());

let place: ReturnType<typeof temporaryFolder>;
let server: TestServer;
let env: Record<string, string>;
let directory: string;
beforeEach(async () => {
  place = temporaryFolder();
  server = await new TestServer().start();
  directory = join(place.path, "agents");
  const { PATH = "" } = process.env;
  env = {
    PATH,
    HOME: place.path,
    npm_config_cache: join(place.path, "npm-cache"),
    npm_config_userconfig: join(place.path, "npmrc"),
  };
});
afterEach(async () => {
  await server.close();
  place.remove();
});

const tarball = "/-/@test/small-1.0.0.tgz";
const npx = entryOf({ npx: { package: "@test/small@1.0.0", args: ["--acp"] } });
const start = (entry: RegistryEntry, options: InstallProcessOptions = {}): InstallingProcess =>
  install(program, directory, entry, { env, ...options });
const open = (): InstallStore => openInstallStore({ directory, env });

/** Serves the small package to npm. Returns the bytes of its archive. */
function serve(scripts: Record<string, string> = {}): Uint8Array {
  const manifest = { bin: { small: "agent.js" }, scripts };
  Object.assign(env, servePackages(server, [smallPackage("1.0.0", { manifest })]));
  return server.routes.get(tarball) as Uint8Array;
}

/** Replaces a route by one that never responds completely. Resolves when npm or a script has sent the request. */
function hang(path: string, begin: (response: ServerResponse) => void = () => {}): Promise<void> {
  const requested = deferred();
  server.routes.set(path, (_, response) => {
    begin(response);
    requested.resolve();
  });
  return requested.promise;
}

/**
 * Expects that no process of this test runs: npm, uv and all that they start have the temporary folder in their
 * environment.
 */
function expectNoProcess(): void {
  const mine = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(place.path));
  expect(mine).toEqual([]);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // the process has just ended
  }
}

const hasNpm = findProgram("npm", programsHere(process.env)) !== undefined;
const canRun = process.platform === "linux" && hasNpm;
if (!canRun) console.log("Not run: killed installers of packages. They need Linux, for /proc, and npm on the PATH.");

describe.skipIf(!canRun)("registry.atomic: processes that install packages of npm", { timeout: 120_000 }, () => {
  it.each([
    ["npm reads the package registry", "/@test/small", (_: ServerResponse) => {}],
    ["npm downloads the package", tarball, (response: ServerResponse) => void response.writeHead(200).write("half")],
  ])(
    "kill -9 while %s: nothing is installed, and the next installation ends npm and removes the leftovers",
    async (_, path, begin) => {
      serve();
      const whole: Route = server.routes.get(path) ?? "";
      const requested = hang(path, begin);
      const running = start(npx);
      await requested;
      running.child.kill("SIGKILL");
      await running.ended;
      expect(await open().list()).toEqual([]);
      server.routes.set(path, whole);
      const installed = await open().install(npx);
      expect(readdirSync(join(directory, "small"))).toEqual([installed.folder]);
      expectNoProcess();
    },
  );

  it("kill -9 while an install script runs: the next installation ends the script", async () => {
    serve({ postinstall: "node script.js" });
    const manifest = { bin: { small: "agent.js" }, scripts: { postinstall: "node script.js" } };
    const script = `require("http").get("${server.url}/script"); setInterval(() => {}, 1000);`;
    servePackages(server, [
      smallPackage("1.0.0", { manifest, files: { "agent.js": agentScript(), "script.js": script } }),
    ]);
    const requested = hang("/script");
    const running = start(npx, { scripts: true });
    await requested;
    running.child.kill("SIGKILL");
    await running.ended;
    expect(await open().list()).toEqual([]);
    const installed = await open().install(npx);
    expect(readdirSync(join(directory, "small"))).toEqual([installed.folder]);
    expectNoProcess();
  });

  it("registry.at-once: of two processes that install the same package, one installs and the other waits", async () => {
    const bytes = serve();
    const requested = deferred<ServerResponse>();
    server.routes.set(tarball, (_, response) => requested.resolve(response));
    const [one, other] = [start(npx), start(npx)];
    await Promise.race([one.until("wait"), other.until("wait")]);
    (await requested.promise).end(bytes);
    const outs = await Promise.all([one.ended, other.ended]);
    expect(outs.map((out) => out.trim().split("\n").at(-1))).toEqual(["installed 1.0.0", "installed 1.0.0"]);
    expect(outs.filter((out) => out.includes("wait"))).toHaveLength(1);
    expect(server.requests.filter((request) => request === `GET ${tarball}`)).toHaveLength(1);
  });

  it.each([
    ["ends early", (response: ServerResponse, bytes: Uint8Array) => void response.end(bytes.subarray(0, 200))],
    [
      "is cut off by the server",
      (response: ServerResponse, bytes: Uint8Array) => {
        response.writeHead(200, { "content-length": bytes.length });
        response.write(bytes.subarray(0, 200), () => response.destroy());
      },
    ],
  ])("an archive that %s is reported and leaves nothing; a later installation succeeds", async (_, respond) => {
    const bytes = serve();
    server.routes.set(tarball, (_, response) => respond(response, bytes));
    await expect(open().install(npx)).rejects.toMatchObject({
      name: "RegistryError",
      code: expect.stringMatching(/^(?:checksum_mismatch|unreachable)$/),
      message: expect.stringMatching(/can't be installed: .* npm printed:/),
    });
    expect(await open().list()).toEqual([]);
    expect(readdirSync(join(directory, "small"))).toEqual([]);
    server.routes.set(tarball, bytes);
    expect(await open().install(npx)).toMatchObject({ version: "1.0.0" });
  });
});

describe.skipIf(process.platform !== "linux")("registry.atomic: processes that install packages of PyPI", () => {
  const uvx = entryOf({ uvx: { package: "fast-agent-acp==0.9.0" } }, { version: "0.9.0" });

  /**
   * A substitute for uv, which the tests can't install. It waits until the file `go` exists, and then does what the
   * documentation of `uv tool install` describes.
   */
  function fakeUv(): void {
    const bin = join(place.path, "bin");
    mkdirSync(bin);
    writeFileSync(join(place.path, "agent.js"), agentScript("0.9.0"));
    writeFileSync(
      join(bin, "uv"),
      `#!/bin/sh
mkdir -p "$UV_TOOL_DIR" "$UV_TOOL_BIN_DIR"; echo partly > "$UV_TOOL_DIR/part"; echo x >> "$HOME/started"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
cp "$HOME/agent.js" "$UV_TOOL_BIN_DIR/fast-agent-acp"; chmod +x "$UV_TOOL_BIN_DIR/fast-agent-acp"\n`,
    );
    chmodSync(join(bin, "uv"), 0o755);
    env.PATH = [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  }
  const started = () => expect.poll(() => existsSync(join(place.path, "started")), { timeout: 20_000 }).toBe(true);

  it("kill -9 while uv runs: nothing is installed, and the next installation ends uv and removes the leftovers", async () => {
    fakeUv();
    const running = start(uvx);
    await started();
    running.child.kill("SIGKILL");
    await running.ended;
    expect(await open().list()).toEqual([]);
    const again = start(uvx);
    await expect.poll(() => readFileSync(join(place.path, "started"), "utf8"), { timeout: 20_000 }).toBe("x\nx\n");
    expect(readdirSync(join(directory, "small"))).toHaveLength(1); // the folder of the killed process is gone
    writeFileSync(join(place.path, "go"), "");
    expect((await again.ended).trim()).toMatch(/installed 0\.9\.0$/);
    expectNoProcess();
  });

  it("registry.at-once: of two processes that install the same package, one installs and the other waits", async () => {
    fakeUv();
    const [one, other] = [start(uvx), start(uvx)];
    await Promise.race([one.until("wait"), other.until("wait")]);
    writeFileSync(join(place.path, "go"), "");
    const outs = await Promise.all([one.ended, other.ended]);
    expect(outs.map((out) => out.trim().split("\n").at(-1))).toEqual(["installed 0.9.0", "installed 0.9.0"]);
    expect(readFileSync(join(place.path, "started"), "utf8")).toBe("x\n");
  });
});

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentScript, binaryOf, entryOf, sha256Of, temporaryFolder } from "../../../test/fixtures.js";
import { TestServer } from "../../../test/server.js";
import { tarOf } from "../../../test/tar.js";
import { openInstallStore } from "./install-store.js";

let built: ReturnType<typeof temporaryFolder>;
let program: string;
beforeAll(async () => {
  built = temporaryFolder();
  // Below the package, so that its dependencies are found.
  const outdir = fileURLToPath(new URL("../../../node_modules/.cache/crash-test", import.meta.url));
  program = join(outdir, `${process.pid}.mjs`);
  const entry = fileURLToPath(new URL("../../../test/install-program.ts", import.meta.url));
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
});
afterAll(() => {
  rmSync(program, { force: true });
  built.remove();
});

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

/** Large enough that each step takes a while. */
const archive = gzipSync(
  tarOf([
    { name: "small/agent", content: agentScript("1.0.0"), mode: 0o755 },
    ...Array.from({ length: 200 }, (_, index) => ({ name: `small/f${index}`, content: randomBytes(20_000) })),
  ]),
);
const sha256 = sha256Of(archive);

function install(
  directory: string,
  before: readonly string[] = [],
): { readonly child: ChildProcess; until(text: string): Promise<void>; readonly ended: Promise<string> } {
  const words = [...before, process.execPath, program, directory, `${server.url}/a.tar.gz`, sha256];
  const child = spawn(words[0] ?? "", words.slice(1), { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  const listeners = new Set<() => void>();
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    for (const listener of listeners) listener();
  });
  const ended = new Promise<string>((resolve) => void child.once("close", () => resolve(out)));
  const until = (text: string) =>
    new Promise<void>((resolve) => {
      const look = (): void => void (out.includes(text) && resolve());
      listeners.add(look);
      void ended.then(() => resolve());
      look();
    });
  return { child, until, ended };
}

const entry = () => entryOf(binaryOf({ archive: `${server.url}/a.tar.gz`, cmd: "./small/agent", sha256 }));

describe.skipIf(process.platform === "win32")("registry.atomic: processes that install", { timeout: 120_000 }, () => {
  it.each(["download", "verify", "unpack"])(
    "kill -9 at %s: nothing is installed, nothing starts, and the next installation clears up",
    async (step) => {
      const directory = join(place.path, "agents");
      server.routes.set("/a.tar.gz", (_, response) => {
        response.writeHead(200, { "content-length": archive.length });
        if (step === "download")
          response.write(archive.subarray(0, 100_000)); // and no more
        else response.end(archive);
      });
      const running = install(directory);
      await running.until(step);
      running.child.kill("SIGKILL");
      await running.ended;
      const store = openInstallStore({ directory });
      expect(await store.list()).toEqual([]);
      expect(await store.get("small")).toBeUndefined();
      server.routes.set("/a.tar.gz", archive);
      const installed = await store.install(entry());
      expect(readdirSync(join(directory, "small"))).toEqual([installed.folder]);
    },
  );

  it("kill -9 during an update leaves the version before, and it starts", async () => {
    const directory = join(place.path, "agents");
    server.routes.set("/a.tar.gz", archive);
    const store = openInstallStore({ directory });
    const old = entryOf(entry().agent.distribution, { version: "0.9.0" });
    const before = await store.install(old);
    const running = install(directory);
    await running.until("unpack");
    running.child.kill("SIGKILL");
    await running.ended;
    const now = await store.get("small");
    expect(["0.9.0", "1.0.0"]).toContain(now?.version); // it may have been done
    expect(now && (await store.isIntact(now))).toBe(true);
    expect(existsSync(before.directory)).toBe(true);
  });

  it("registry.at-once: two processes that install at once: one installs, the other waits and finds it done", async () => {
    const directory = join(place.path, "agents");
    const release = new AbortController();
    server.routes.set("/a.tar.gz", (_, response) => {
      const respond = (): void => void response.writeHead(200, { "content-length": archive.length }).end(archive);
      if (release.signal.aborted) respond();
      else release.signal.addEventListener("abort", respond); // the one that waits may say so before the other sends its request
    });
    const [one, other] = [install(directory), install(directory)];
    await Promise.race([one.until("wait"), other.until("wait")]);
    release.abort();
    const outs = await Promise.all([one.ended, other.ended]);
    expect(outs.map((out) => out.trim().split("\n").at(-1))).toEqual(["installed 1.0.0", "installed 1.0.0"]);
    expect(outs.filter((out) => out.includes("wait"))).toHaveLength(1);
    expect(server.requests).toEqual(["GET /a.tar.gz"]);
  });

  it("different agents are installed at the same time, and both are in the lock file", async () => {
    server.routes.set("/a.tar.gz", archive);
    const store = openInstallStore({ directory: join(place.path, "agents") });
    const ids = ["one", "two", "three", "four"];
    await Promise.all(ids.map((id) => store.install(entryOf(entry().agent.distribution, { id }))));
    expect((await store.list()).map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it("a file that may not grow: a typed error, and nothing is left", async () => {
    server.routes.set("/a.tar.gz", archive);
    const directory = join(place.path, "agents");
    // 1,024 blocks of 1 KiB; the signal that comes with it is ignored.
    const out = await install(directory, ["bash", "-c", 'trap "" XFSZ; ulimit -f 1024; exec "$@"', "limited"]).ended;
    expect(out.trim().split("\n").at(-1)).toBe("failed disk_full");
    expect(await openInstallStore({ directory }).list()).toEqual([]);
    expect(readdirSync(join(directory, "small"))).toEqual([]);
  });

  it("a full disk: a typed error, the version before stays, and with room again it works", async () => {
    const disk = mountedDisk(join(place.path, "disk"));
    if (disk === undefined) return;
    try {
      const store = openInstallStore({ directory: join(disk.folder, "agents") });
      const small = gzipSync(tarOf([{ name: "small/agent", content: agentScript("0.9.0"), mode: 0o755 }]));
      server.routes.set("/b.tar.gz", small);
      server.routes.set("/a.tar.gz", archive);
      const before = await store.install(
        entryOf(binaryOf({ archive: `${server.url}/b.tar.gz`, cmd: "./small/agent" }), { version: "0.9.0" }),
      );
      await expect(store.install(entry())).rejects.toMatchObject({
        code: "disk_full",
        message: expect.stringContaining("Make room"),
      });
      expect(await store.get("small")).toEqual(before);
      expect(await store.isIntact(before)).toBe(true);
      rmSync(join(disk.folder, "ballast"));
      expect(await store.install(entry())).toMatchObject({ version: "1.0.0" });
    } finally {
      disk.unmount();
    }
  });
});

/** A disk of 12 MB with a ballast of 6; `undefined` where this user may not mount one. */
function mountedDisk(folder: string): { readonly folder: string; unmount(): void } | undefined {
  mkdirSync(folder, { recursive: true });
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=12m", "none", folder]).status !== 0) {
    console.log(
      "Not run: a full disk, because this user may not mount one; the limit of a file's size is tried instead.",
    );
    return undefined;
  }
  writeFileSync(join(folder, "ballast"), Buffer.alloc(6_000_000));
  return { folder, unmount: () => void spawnSync("umount", [folder]) };
}

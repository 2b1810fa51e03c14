import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentScript, binaryOf, entryOf, sha256Of, temporaryFolder } from "../../../test/fixtures.js";
import {
  buildInstallProgram,
  type InstallingProcess,
  type InstallProgram,
  install as installWith,
} from "../../../test/installing-process.js";
import { TestServer } from "../../../test/server.js";
import { tarOf } from "../../../test/tar.js";
import { openInstallStore } from "./install-store.js";

let program: InstallProgram;
beforeAll(async () => {
  program = await buildInstallProgram("crash-test");
});
afterAll(() => program.remove());

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

/** Large enough that each step takes a measurable time. */
const archive = gzipSync(
  tarOf([
    { name: "small/agent", content: agentScript("1.0.0"), mode: 0o755 },
    ...Array.from({ length: 200 }, (_, index) => ({ name: `small/f${index}`, content: randomBytes(20_000) })),
  ]),
);
const sha256 = sha256Of(archive);

const install = (directory: string, before: readonly string[] = []): InstallingProcess =>
  installWith(program, directory, entry(), { before });

const entry = () => entryOf(binaryOf({ archive: `${server.url}/a.tar.gz`, cmd: "./small/agent", sha256 }));

describe.skipIf(process.platform === "win32")("registry.atomic: processes that install", { timeout: 120_000 }, () => {
  it.each(["download", "verify", "unpack"])(
    "kill -9 at %s leaves nothing installed, and the next installation removes the leftovers",
    async (step) => {
      const directory = join(place.path, "agents");
      server.routes.set("/a.tar.gz", (_, response) => {
        response.writeHead(200, { "content-length": archive.length });
        if (step === "download")
          response.write(archive.subarray(0, 100_000)); // the rest never follows
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

  it("kill -9 during an update leaves an intact version", async () => {
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
    expect(["0.9.0", "1.0.0"]).toContain(now?.version); // the update may have been complete
    expect(now && (await store.isIntact(now))).toBe(true);
    expect(existsSync(before.directory)).toBe(true);
  });

  it("registry.at-once: of two processes that install the same agent, one installs and the other waits", async () => {
    const directory = join(place.path, "agents");
    const release = new AbortController();
    server.routes.set("/a.tar.gz", (_, response) => {
      const respond = (): void => void response.writeHead(200, { "content-length": archive.length }).end(archive);
      if (release.signal.aborted) respond();
      // The second process may report that it waits before the first one sends its request.
      else release.signal.addEventListener("abort", respond);
    });
    const [one, other] = [install(directory), install(directory)];
    await Promise.race([one.until("wait"), other.until("wait")]);
    release.abort();
    const outs = await Promise.all([one.ended, other.ended]);
    expect(outs.map((out) => out.trim().split("\n").at(-1))).toEqual(["installed 1.0.0", "installed 1.0.0"]);
    expect(outs.filter((out) => out.includes("wait"))).toHaveLength(1);
    expect(server.requests).toEqual(["GET /a.tar.gz"]);
  });

  it("installs different agents concurrently, and the lock file contains all of them", async () => {
    server.routes.set("/a.tar.gz", archive);
    const store = openInstallStore({ directory: join(place.path, "agents") });
    const ids = ["one", "two", "three", "four"];
    await Promise.all(ids.map((id) => store.install(entryOf(entry().agent.distribution, { id }))));
    expect((await store.list()).map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it("reports disk_full at a limit of the file size, and leaves no file", async () => {
    server.routes.set("/a.tar.gz", archive);
    const directory = join(place.path, "agents");
    // 1,024 blocks of 1 KiB; the signal of the limit is ignored.
    const out = await install(directory, ["bash", "-c", 'trap "" XFSZ; ulimit -f 1024; exec "$@"', "limited"]).ended;
    expect(out.trim().split("\n").at(-1)).toBe("failed disk_full");
    expect(await openInstallStore({ directory }).list()).toEqual([]);
    expect(readdirSync(join(directory, "small"))).toEqual([]);
  });

  it("reports disk_full on a full disk, keeps the installed version, and installs after space is freed", async () => {
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
        message: expect.stringContaining("Free some space"),
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

/** Mounts a disk of 12 MB that contains a file of 6 MB. Returns `undefined` if this user may not mount disks. */
function mountedDisk(folder: string): { readonly folder: string; unmount(): void } | undefined {
  mkdirSync(folder, { recursive: true });
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=12m", "none", folder]).status !== 0) {
    console.log(
      "Not run: a full disk, because this user may not mount one; the test with a limit of the file size runs instead.",
    );
    return undefined;
  }
  writeFileSync(join(folder, "ballast"), Buffer.alloc(6_000_000));
  return { folder, unmount: () => void spawnSync("umount", [folder]) };
}

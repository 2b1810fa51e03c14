import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCommandLine } from "@acp-kit/interop-tests/build-command-line";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fireClient } from "./client.js";
import { lossesOf, noLosses, numbersIn } from "./counts.js";
import { noProcessesOf, processesOf, type ServerHome, serverHome, startServer } from "./served.js";

let place: ServerHome;
beforeEach(async () => {
  place = await serverHome();
});
afterEach(() => place.remove());

/** Shorter than the default of half a minute. */
function configuration(): string {
  const path = join(place.home, "serve.json");
  writeFileSync(path, JSON.stringify({ times: { engineGraceMs: 1_000 } }));
  return path;
}

/** The turn ended because its entries could not be written, or because the next owner found it unfinished. */
const unwritable = { data: { reason: expect.stringMatching(/^(engine_unavailable|turn_interrupted)$/) } };

/** The everything agent without files of its own, which the limit would affect too. */
const agent = (program: string): string[] => [process.execPath, program, "demo-agent", "--pace", "0"];

describe("fire.disk-full: sessions that can't be written", () => {
  it("at the size limit of the file, the turn ends with a typed error, the received text is a prefix of the whole text, and the server still works", {
    timeout: 120_000,
  }, async () => {
    const program = await buildCommandLine();
    const server = await startServer(place, {
      program,
      before: ["bash", "-c", 'ulimit -f 512; exec "$@"', "limited"], // 512 blocks of 1 KiB
      options: ["--engine", `sqlite:${place.sessions}`, "--config", configuration()],
      agent: agent(program),
    });
    const client = await fireClient(place);
    const session = await client.open();
    await expect(session.prompt("/flood 100000").result).rejects.toMatchObject(unwritable);
    const received = numbersIn(client.take());
    expect(received.length).toBeGreaterThan(0);
    expect(lossesOf(received)).toEqual(noLosses);
    expect((await fetch(`http://127.0.0.1:${place.port}/healthz`)).status).toBe(200);
    await client[Symbol.asyncDispose]();
    await server.end();
    await noProcessesOf(place.home);
  });

  const disk = mountedDisk();
  it.skipIf(disk === undefined)(
    "on a full disk, the turn ends in the same way, and the session continues when the disk has space again",
    {
      timeout: 120_000,
    },
    async () => {
      const { folder, unmount } = disk ?? { folder: "", unmount() {} };
      try {
        const program = await buildCommandLine();
        const server = await startServer(place, {
          program,
          options: ["--engine", `sqlite:${join(folder, "sessions.db")}`, "--config", configuration()],
        });
        const client = await fireClient(place);
        const session = await client.open();
        await expect(session.prompt("/flood 100000").result).rejects.toMatchObject(unwritable);
        const first = client.take();
        expect(lossesOf(numbersIn(first))).toEqual(noLosses);
        rmSync(join(folder, "ballast"));
        const { stopReason } = await session.prompt("/flood 100").result;
        expect(stopReason).toBe("end_turn");
        const second = client.take();
        expect(lossesOf(numbersIn(second), 100)).toEqual(noLosses);
        const other = await fireClient(place);
        await other.open(session.sessionId);
        expect(other.take()).toBe(first + second);
        await Promise.all([client[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
        expect(await server.end()).toBe(0);
        await noProcessesOf(place.home);
      } finally {
        // Running processes would keep the disk mounted
        for (const pid of processesOf(place.home)) process.kill(pid, "SIGKILL");
        await noProcessesOf(place.home);
        unmount();
      }
    },
  );
});

/** A disk of 3 MB with a ballast of 2; `undefined` where this user may not mount one. */
function mountedDisk(): { readonly folder: string; unmount(): void } | undefined {
  const folder = join(process.env.TMPDIR ?? "/tmp", `acp-kit-fire-disk-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const unmount = (): void => {
    spawnSync("umount", [folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=3m", "none", folder]);
  if (status !== 0) {
    console.log(
      "Not run: a full disk, because this user may not mount one; the limit of a file's size is tried instead.",
    );
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  writeFileSync(join(folder, "ballast"), Buffer.alloc(2_000_000));
  return { folder, unmount };
}

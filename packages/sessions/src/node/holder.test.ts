import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { filled, openStore, temporaryPath } from "../../test/temporary.js";
import { Holder } from "./holder.js";
import { HolderLock, isLocked } from "./holder-lock.js";
import { processName, startOf } from "./process-name.js";

/** A session with another signature. */
async function signed(name: string, path = temporaryPath()) {
  const store = openStore({ path });
  const { sessions, log } = await filled(store);
  await log.release();
  const database = new Database(path);
  database.prepare("UPDATE sessions SET holder = ?").run(name);
  database.close();
  return { store, sessions, path };
}

const id = "0123456789abcdef";
const locksOf = (path: string) => readdirSync(dirname(path)).filter((name) => name.includes("-holder-"));

describe("the holder of a session", () => {
  test.skipIf(process.platform === "win32")(
    "can be locked by its user only, also with a file of an old version",
    () => {
      const before = process.umask(0o000);
      try {
        for (const mode of [undefined, 0o666]) {
          const path = temporaryPath();
          const file = `${path}-holder-${id}`;
          mkdirSync(dirname(path), { recursive: true });
          if (mode !== undefined) writeFileSync(file, "", { mode });
          const lock = new HolderLock(path, id);
          expect(statSync(file).mode & 0o777).toBe(0o600);
          expect(isLocked(path, id)).toBe(true);
          lock.release();
        }
      } finally {
        process.umask(before);
      }
    },
  );

  test("has a name that no other process has and that does not contain the host's name", () => {
    const [boot, namespace, pid, start, ...rest] = processName().split("/");
    expect(rest).toEqual([]);
    expect(pid).toBe(String(process.pid));
    expect(start).toBe(startOf(process.pid) ?? "");
    expect(processName()).not.toContain(hostname());
    if (process.platform === "linux") {
      expect(boot).toMatch(/^[0-9a-f-]{36}$/);
      expect(namespace).toMatch(/^\d+$/);
    }
  });

  test("history.holder: is the process that has its lock, whatever its name, in this or another PID namespace", async () => {
    for (const name of ["boot/1/2/3", "//4/", processName().replace(/\/(\d+)\//, "/999999/")]) {
      const { sessions, path } = await signed(`${name}/${id}`);
      const lock = new HolderLock(path, id);
      for (const act of [() => sessions.open("s"), () => sessions.delete("s")])
        expect(act).toThrow(expect.objectContaining({ name: "SessionHeldError", sessionId: "s" }));
      expect((await sessions.find("s"))?.sessionId).toBe("s");
      lock.release();
      await (await sessions.open("s")).release(); // it has ended
    }
  });

  test("is named in the error, and another process can take the session over", async () => {
    const { sessions, path } = await signed(`boot/1/2/3/${id}`);
    const lock = new HolderLock(path, id);
    expect(() => sessions.open("s")).toThrow("Session s is open in another process (process 2 of another container)");
    await (await sessions.open("s", { takeOver: true })).release();
    lock.release();
  });

  test.each([
    ["a version before locks, whose process has ended", "some-host/999999999/1"],
    ["a version before locks, whose pid another process has now", `${hostname()}/${process.ppid}/1`],
    ["a process without a lock", `boot/1/2/3/${id}`],
    ["an invalid id", "boot/1/2/3/..%2f"],
    ["nonsense", "x"],
  ])("history.holder: does not exist when the signature is %s", async (_, name) => {
    const { sessions } = await signed(name);
    await (await sessions.open("s")).release();
  });

  test.skipIf(process.platform !== "linux")(
    "is a running process of a version before locks, even if the host's name has changed",
    async () => {
      const { sessions } = await signed(`old-name/${process.ppid}/${startOf(process.ppid)}`);
      expect(() => sessions.open("s")).toThrow(`(process ${process.ppid})`);
    },
  );

  test("is not a killed process, and leaves no file", async () => {
    const path = temporaryPath();
    const { store } = await signed(`boot/1/2/3/${id}`, path);
    writeFileSync(`${path}-holder-${id}`, "");
    writeFileSync(`${path}-holder-not-ours`, "");
    expect(new Holder(path).isAlive(`boot/1/2/3/${id}`)).toBe(false);
    await store.close();
    await openStore({ path }).owner("a").open("s");
    expect(existsSync(`${path}-holder-${id}`)).toBe(false);
    expect(locksOf(path)).toHaveLength(2); // its own, and the invalid one
  });

  test.skipIf(process.platform === "win32")(
    "history.holder: is the same for a store that is opened by a link",
    async () => {
      const { path, sessions } = await signed(`boot/1/2/3/${id}`);
      const lock = new HolderLock(path, id);
      const link = join(dirname(path), "link.sqlite");
      symlinkSync(path, link);
      const linked = openStore({ path: link });
      expect(() => linked.owner("a").open("s")).toThrow(expect.objectContaining({ name: "SessionHeldError" }));
      lock.release();
      await (await sessions.open("s")).release();
    },
  );

  test("releases its lock when the store is closed", async () => {
    const path = temporaryPath();
    const store = openStore({ path });
    await filled(store);
    expect(locksOf(path)).toHaveLength(1);
    await store.close();
    expect(locksOf(path)).toEqual([]);
  });
});

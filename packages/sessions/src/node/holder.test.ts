import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { filled, openStore, temporaryPath } from "../../test/temporary.js";
import { Holder } from "./holder.js";
import { HolderLock } from "./holder-lock.js";
import { processName, startOf } from "./process-name.js";

/** A session that is signed by something else. */
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

describe("who holds a session", () => {
  test("is named by what no other process has, and not by the host", () => {
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

  test("history.holder: is whoever has its lock, whatever the process is called, here or in another PID namespace", async () => {
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

  test("is named in the error, and can be overtaken", async () => {
    const { sessions, path } = await signed(`boot/1/2/3/${id}`);
    const lock = new HolderLock(path, id);
    expect(() => sessions.open("s")).toThrow("Session s is open in another process (process 2 of another container)");
    await (await sessions.open("s", { takeOver: true })).release();
    lock.release();
  });

  test.each([
    ["a version before locks, whose process has ended", "some-host/999999999/1"],
    ["a version before locks, whose number another process has now", `${hostname()}/${process.ppid}/1`],
    ["a process without a lock", `boot/1/2/3/${id}`],
    ["an id that is no id", "boot/1/2/3/..%2f"],
    ["nonsense", "x"],
  ])("history.holder: is nobody when it is signed by %s", async (_, name) => {
    const { sessions } = await signed(name);
    await (await sessions.open("s")).release();
  });

  test.skipIf(process.platform !== "linux")(
    "is a process of a version before locks that runs, also when the host's name has changed",
    async () => {
      const { sessions } = await signed(`old-name/${process.ppid}/${startOf(process.ppid)}`);
      expect(() => sessions.open("s")).toThrow(`(process ${process.ppid})`);
    },
  );

  test("is nobody that was killed, and leaves no file behind", async () => {
    const path = temporaryPath();
    const { store } = await signed(`boot/1/2/3/${id}`, path);
    writeFileSync(`${path}-holder-${id}`, "");
    writeFileSync(`${path}-holder-not-ours`, "");
    expect(new Holder(path).isAlive(`boot/1/2/3/${id}`)).toBe(false);
    await store.close();
    await openStore({ path }).owner("a").open("s");
    expect(existsSync(`${path}-holder-${id}`)).toBe(false);
    expect(locksOf(path)).toHaveLength(2); // its own, and the one that is none
  });

  test("gives its lock back when the store is closed", async () => {
    const path = temporaryPath();
    const store = openStore({ path });
    await filled(store);
    expect(locksOf(path)).toHaveLength(1);
    await store.close();
    expect(locksOf(path)).toEqual([]);
  });
});

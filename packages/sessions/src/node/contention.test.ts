import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { afterEach, describe, expect, test } from "vitest";
import { prompted } from "../../test/store-contract.js";
import { filled, openStore, temporaryPath, textsOf } from "../../test/temporary.js";

const others: Database.Database[] = [];
afterEach(() => {
  for (const other of others.splice(0)) other.close();
});

/** Another connection that locks the file until it is released; SQLite treats it like another process. */
function lock(path: string, how: "IMMEDIATE" | "EXCLUSIVE" = "IMMEDIATE"): () => void {
  const other = new Database(path);
  others.push(other);
  other.exec(`BEGIN ${how}`);
  return () => other.exec("ROLLBACK");
}

describe("a store whose file another process has locked", () => {
  test("history.never-blocks: responds later, in order, and the event loop keeps running meanwhile", async () => {
    const path = temporaryPath();
    const store = openStore({ path });
    const { sessions, log } = await filled(store, "s", 1);
    const unlock = lock(path);
    const writes = [log.append(prompted("1")), log.setTitle("Title"), log.append(prompted("2"))];
    const page = sessions.read("s"); // behind the writes
    for (const one of [...writes, page]) expect(one).toBeInstanceOf(Promise);
    let hasTicked = false;
    setImmediate(() => {
      hasTicked = true;
      unlock();
    });
    expect(await Promise.all(writes)).toEqual([2, undefined, 3]);
    expect(hasTicked).toBe(true);
    expect(await page).toHaveLength(3);
    expect(await textsOf(sessions)).toEqual(["0", "1", "2"]);
    expect(log.append(prompted("3"))).toBe(4); // synchronous again
    expect((await sessions.find("s"))?.title).toBe("Title");
  });

  test("history.never-blocks: fails with an error that names the file, and has written nothing", async () => {
    const path = temporaryPath();
    const store = openStore({ path, busyTimeoutMs: 20 });
    const { sessions, log } = await filled(store, "s", 1);
    const unlock = lock(path);
    const failed = { name: "StoreError", code: "busy", path, message: expect.stringContaining(path) };
    await expect(log.append(prompted("lost"))).rejects.toMatchObject(failed);
    await expect(sessions.open("s")).rejects.toMatchObject(failed);
    await expect(sessions.delete("s")).rejects.toMatchObject(failed);
    unlock();
    await log.append(prompted("1"));
    expect(await textsOf(sessions)).toEqual(["0", "1"]);
  });

  test("can be created while the file is being created, and opens it with its first work", async () => {
    const path = temporaryPath();
    mkdirSync(dirname(path), { recursive: true });
    const unlock = lock(path, "EXCLUSIVE");
    const store = openStore({ path });
    const made = filled(store, "s", 1);
    setImmediate(unlock);
    expect(await textsOf((await made).sessions)).toEqual(["0"]);
  });

  test("closes when queued work is done", async () => {
    const path = temporaryPath();
    const store = openStore({ path });
    const { log } = await filled(store);
    const unlock = lock(path);
    const written = log.append(prompted("0"));
    const closed = store.close();
    unlock();
    await written;
    await closed;
    expect(await textsOf(openStore({ path }).owner("a"))).toEqual(["0"]);
    expect(() => log.append(prompted("1"))).toThrow(expect.objectContaining({ code: "closed" }));
    await log.release();
    await store.close();
  });
});

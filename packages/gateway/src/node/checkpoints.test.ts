import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Checkpoints } from "./checkpoints.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A file with a table, in a new folder. */
function made(): { readonly path: string; readonly database: Database.Database } {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-gateway-"));
  folders.push(folder);
  const path = join(folder, "a file.sqlite");
  const database = new Database(path);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE texts (text)");
  return { path, database };
}

function insert(database: Database.Database, count: number): void {
  const statement = database.prepare("INSERT INTO texts VALUES (?)");
  database.exec("BEGIN");
  for (let i = 0; i < count; i++) statement.run("a text of a page ".repeat(200));
  database.exec("COMMIT");
}

const sizeOf = (path: string): number => statSync(path).size;
const pagesBeforeCopy = (database: Database.Database): unknown =>
  (database.prepare("PRAGMA wal_autocheckpoint").get() as { readonly wal_autocheckpoint: number }).wal_autocheckpoint;

describe("checkpoints", () => {
  test("a thread copies the log to the file after many writes, while the file stays open", async () => {
    const { path, database } = made();
    const checkpoints = new Checkpoints(database, path);
    insert(database, 1_500);
    const before = sizeOf(path);
    checkpoints.wrote(999);
    expect(sizeOf(path)).toBe(before);
    checkpoints.wrote(1);
    await vi.waitFor(() => expect(sizeOf(path)).toBeGreaterThan(1_500 * 3_000), 10_000);
    await checkpoints.close();
    database.close();
  });

  test("a deletion empties the log, which contains the deleted texts, also if another connection reads it at first", async () => {
    const { path, database } = made();
    const checkpoints = new Checkpoints(database, path);
    insert(database, 10);
    const reader = new Database(path);
    reader.exec("BEGIN; SELECT COUNT(*) FROM texts");
    checkpoints.deletes();
    database.exec("DELETE FROM texts");
    checkpoints.wrote(1);
    expect(sizeOf(`${path}-wal`)).toBeGreaterThan(0);
    reader.exec("COMMIT");
    await vi.waitFor(() => {
      checkpoints.wrote(1);
      expect(sizeOf(`${path}-wal`)).toBe(0);
    }, 10_000);
    reader.close();
    await checkpoints.close();
    database.close();
  });

  test("without a thread, a deletion empties the log in its own commit, also the deletion with which the thread fails", async () => {
    const { path, database } = made();
    const checkpoints = new Checkpoints(database, `${path}-removed`);
    insert(database, 10);
    checkpoints.deletes();
    checkpoints.wrote(1);
    await vi.waitFor(() => expect(sizeOf(`${path}-wal`)).toBe(0), 10_000);
    insert(database, 10);
    checkpoints.deletes();
    checkpoints.wrote(1);
    expect(sizeOf(`${path}-wal`)).toBe(0);
    await checkpoints.close();
    database.close();
  });

  test("an error of a checkpoint reaches no commit, and the next commit empties the log", async () => {
    const { path, database } = made();
    const checkpoints = new Checkpoints(database, `${path}-removed`);
    insert(database, 10);
    const broken = (): never => {
      throw new Error("disk I/O error");
    };
    const exec = vi.spyOn(database, "exec").mockImplementation(broken);
    const prepare = vi.spyOn(database, "prepare").mockImplementation(broken);
    checkpoints.deletes();
    checkpoints.wrote(1);
    await vi.waitFor(() => expect([exec.mock.calls.length, prepare.mock.calls.length]).toEqual([1, 1]), 10_000);
    checkpoints.wrote(1);
    expect(prepare).toHaveBeenCalledTimes(2);
    exec.mockRestore();
    prepare.mockRestore();
    expect(sizeOf(`${path}-wal`)).toBeGreaterThan(0);
    checkpoints.wrote(1);
    expect(sizeOf(`${path}-wal`)).toBe(0);
    await checkpoints.close();
    database.close();
  });

  test("the commit itself copies the log of 64 MiB", () => {
    const { path, database } = made();
    new Checkpoints(database, path);
    expect(pagesBeforeCopy(database)).toBe(16_384);
    database.close();
  });

  test("without a thread, the commit copies the log every 1,000 pages", async () => {
    const { path, database } = made();
    const checkpoints = new Checkpoints(database, `${path}-removed`);
    checkpoints.wrote(1_000);
    await vi.waitFor(() => expect(pagesBeforeCopy(database)).toBe(1_000), 10_000);
    insert(database, 1_500);
    expect(sizeOf(path)).toBeGreaterThan(1_500 * 3_000);
    await checkpoints.close();
    expect(() => sizeOf(`${path}-removed`)).toThrow("ENOENT");
    database.close();
  });

  test("closing leaves an empty log, even while the thread copies", async () => {
    const { path, database } = made();
    const checkpoints = new Checkpoints(database, path);
    insert(database, 1_500);
    checkpoints.wrote(1_000);
    await checkpoints.close();
    expect(sizeOf(`${path}-wal`)).toBe(0);
    database.close();
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, describe, expect, test } from "vitest";
import { writeAhead } from "./write-ahead.js";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** Two connections to a new file; one of them is alone with it, until it says so. */
function contended() {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-sessions-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const [first, second] = [0, 1].map(() => {
    const database = new Database(join(folder, "sessions.sqlite"));
    cleanups.push(() => database.close());
    return database;
  }) as [Database.Database, Database.Database];
  first.exec("CREATE TABLE t (a)");
  first.exec("BEGIN EXCLUSIVE");
  return { first, second };
}

const modeOf = (database: Database.Database) => database.prepare("PRAGMA journal_mode").get();

describe("a file that another process is making", () => {
  test("is waited for", () => {
    const { first, second } = contended();
    let pauses = 0;
    writeAhead(second, 60_000, () => {
      pauses += 1;
      if (pauses === 3) first.exec("COMMIT");
    });
    expect(pauses).toBe(3);
    expect(modeOf(second)).toMatchObject({ journal_mode: "wal" });
  });

  test("is given up when it is held for too long", () => {
    const { second } = contended();
    expect(() => writeAhead(second, 0, () => {})).toThrow("locked");
  });

  test("is not waited for when something else is wrong", () => {
    const { second } = contended();
    second.close();
    expect(() => writeAhead(second, 60_000, () => expect.unreachable())).toThrow();
  });
});

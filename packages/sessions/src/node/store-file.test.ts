import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { filled, openStore, temporaryPath, textsOf } from "../../test/temporary.js";
import { applicationId, pragma } from "./pragmas.js";

/** A path with a file of another application. */
function occupied(sql: string): string {
  const path = temporaryPath();
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.exec(sql);
  database.close();
  return path;
}

function idOf(path: string): number {
  const database = new Database(path);
  try {
    return pragma(database, "application_id");
  } finally {
    database.close();
  }
}

describe("the file of a store", () => {
  test.each([
    ["of another application", "PRAGMA application_id = 1196444487; CREATE TABLE t (a)"],
    [
      "of another application, with tables like ours",
      "PRAGMA application_id = 7; PRAGMA user_version = 1; CREATE TABLE sessions (id); CREATE TABLE entries (seq)",
    ],
    ["without an id", "CREATE TABLE t (a); INSERT INTO t VALUES (1)"],
    [
      "without an id, with tables of our names",
      "PRAGMA user_version = 1; CREATE TABLE sessions (id, token); CREATE TABLE entries (seq)",
    ],
    ["with names that are not UTF-8", ""],
    ["with only a version", "PRAGMA user_version = 3"],
    ["with only an id", "PRAGMA application_id = 3"],
  ])("history.only-its-file: is not one %s: it is refused by name and not changed", (_, sql) => {
    const path = occupied(sql || "CREATE TABLE NAME (NAME TEXT); INSERT INTO NAME VALUES ('NAME')");
    if (sql === "") writeFileSync(path, readFileSync(path, "latin1").replaceAll("NAME", "\xff\xfe\xff\xfe"), "latin1");
    const [bytes, { mode }] = [readFileSync(path), statSync(path)];
    const refused = expect.objectContaining({
      name: "StoreError",
      code: "foreign",
      path,
      message: expect.stringContaining(path),
    });
    expect(() => openStore({ path })).toThrow(refused);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(statSync(path).mode).toBe(mode);
    expect(readdirSync(dirname(path))).toEqual(["sessions.sqlite"]);
  });

  test.each([
    ["a text", "Dear diary, today I opened a file.\n".repeat(100)],
    ["the prefix of a database", "SQLite format 3\0"],
  ])("history.only-its-file: is not %s", (_, content) => {
    const path = temporaryPath();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    expect(() => openStore({ path })).toThrow(expect.objectContaining({ code: "foreign", path }));
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  test("is signed when it is created, and when it is upgraded from a version before ids", async () => {
    const made = temporaryPath();
    await openStore({ path: made }).close();
    expect(idOf(made)).toBe(applicationId);
    const older = temporaryPath();
    mkdirSync(dirname(older), { recursive: true });
    copyFileSync(fileURLToPath(new URL("../../test/fixtures/format-1.sqlite", import.meta.url)), older);
    expect(idOf(older)).toBe(0);
    await openStore({ path: older }).close();
    expect(idOf(older)).toBe(applicationId);
    await openStore({ path: older }).close();
  });

  test("replaces an empty file", async () => {
    const path = temporaryPath();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
    const { sessions } = await filled(openStore({ path }), "s", 1);
    expect(await textsOf(sessions)).toEqual(["0"]);
  });

  test.skipIf(process.platform === "win32")(
    "is private with the files beside it, also if everybody could read it before",
    async () => {
      const path = temporaryPath();
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(fileURLToPath(new URL("../../test/fixtures/format-1.sqlite", import.meta.url)), path);
      chmodSync(path, 0o644);
      await filled(openStore({ path }), "new", 1);
      const names = readdirSync(dirname(path)).filter((name) => !name.includes("-holder-"));
      expect(names).toEqual(["sessions.sqlite", "sessions.sqlite-shm", "sessions.sqlite-wal"]);
      expect(names.map((name) => statSync(join(dirname(path), name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    },
  );

  test.skipIf(process.platform === "win32")("stays read-only if its user made it so", () => {
    const path = temporaryPath();
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(fileURLToPath(new URL("../../test/fixtures/format-1.sqlite", import.meta.url)), path);
    chmodSync(path, 0o444);
    try {
      openStore({ path });
    } catch (error) {
      expect(error).toMatchObject({ code: "read_only" }); // only root can upgrade the file
    }
    expect(statSync(path).mode & 0o200).toBe(0);
  });

  test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
    "that the user may not read is reported with its permissions, and not as a broken disk",
    () => {
      const path = temporaryPath();
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "");
      chmodSync(path, 0);
      const message = expect.stringContaining("belongs to another user. Check the owner and the permissions");
      expect(() => openStore({ path })).toThrow(expect.objectContaining({ code: "read_only", path, message }));
    },
  );

  test("is not a folder, and not below a file", () => {
    const path = temporaryPath();
    mkdirSync(path, { recursive: true });
    expect(() => openStore({ path })).toThrow(expect.objectContaining({ code: "io", path }));
    const file = `${path}.txt`;
    writeFileSync(file, "");
    expect(() => openStore({ path: `${file}/x.sqlite` })).toThrow(expect.objectContaining({ code: "io" }));
  });
});

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { afterEach, describe, expect, test } from "vitest";
import { describeStore, prompted, said } from "../../test/store-contract.js";
import { StoreError } from "../errors.js";
import { replayOf } from "../replay.js";
import type { SessionStore } from "../session-store.js";
import { migrate } from "./migrations.js";
import { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.js";
import { migrations, sessionStoreFormat } from "./store-format.js";

const folders: string[] = [];
const stores: SessionStore[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) void store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-sessions-"));
  folders.push(folder);
  return join(folder, "deep", "sessions.sqlite");
}

function open(options: Partial<SqliteStoreOptions> = {}): SessionStore {
  const store = sqliteStore({ path: temporary(), ...options });
  stores.push(store);
  return store;
}

describeStore("SQLite", open);

describe("a SQLite store", () => {
  test("keeps no text of a deleted session in its files", async () => {
    const path = temporary();
    const store = open({ path });
    const sessions = store.owner("a");
    await sessions.create({ sessionId: "s", cwd: "/", additionalDirectories: [] });
    const log = await sessions.open("s");
    const marker = "MARKER-OF-A-DELETED-SESSION";
    for (let index = 0; index < 20; index += 1) await log.append(said(`${marker} ${"x".repeat(3_000)}`));
    await log.release();
    const filesWith = () =>
      readdirSync(dirname(path)).filter((name) => readFileSync(join(dirname(path), name)).includes(marker));
    expect(filesWith()).not.toEqual([]);
    await sessions.delete("s");
    expect(filesWith()).toEqual([]);
    await store.close();
    expect(filesWith()).toEqual([]);
  });

  test("keeps sessions for the next process that opens its file", async () => {
    const path = temporary();
    const before = open({ path });
    const sessions = before.owner("a");
    await sessions.create({ sessionId: "s", cwd: "/work", additionalDirectories: [] });
    await (await sessions.open("s")).append(said("kept"));
    await before.close();
    expect(replayOf(await open({ path }).owner("a").read("s"))).toMatchObject([{ content: { text: "kept" } }]);
  });

  test.skipIf(process.platform === "win32")("is readable by its user alone", () => {
    const path = temporary();
    open({ path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each([Number.NaN, -1, "5"])(
    "refuses busyTimeoutMs %s, which would wait for ever or not at all",
    (busyTimeoutMs) => {
      expect(() => open({ busyTimeoutMs: busyTimeoutMs as number })).toThrow(
        new TypeError(`busyTimeoutMs must be a number from 0 to Infinity, not ${busyTimeoutMs}`),
      );
    },
  );

  test("can be closed twice", () => {
    const store = open();
    void store.close();
    expect(() => store.close()).not.toThrow();
  });
});

describe("the format of a SQLite store", () => {
  test("is upgraded step by step, once, and loses no data", () => {
    const path = temporary();
    void open({ path }).close();
    const database = new Database(path);
    database.exec(
      "INSERT INTO sessions (id, owner, cwd, additional_directories, created_at, changed_at) VALUES ('s', 'a', '/', '[]', '', '')",
    );
    const added = (next: typeof database) => void next.exec("ALTER TABLE sessions ADD COLUMN added TEXT DEFAULT 'yes'");
    migrate(database, path, { ...sessionStoreFormat, migrations: [...migrations, added] });
    migrate(database, path, { ...sessionStoreFormat, migrations: [...migrations, added] });
    expect(database.prepare("SELECT id, added FROM sessions").get()).toMatchObject({ id: "s", added: "yes" });
    database.close();
  });

  test("is unchanged when an upgrade fails half-way", () => {
    const path = temporary();
    void open({ path }).close();
    const database = new Database(path);
    const broken = (next: typeof database) => {
      next.exec("ALTER TABLE sessions ADD COLUMN added TEXT");
      throw new Error("power cut");
    };
    expect(() => migrate(database, path, { ...sessionStoreFormat, migrations: [...migrations, broken] })).toThrow(
      "power cut",
    );
    expect(() => database.prepare("SELECT added FROM sessions")).toThrow();
    migrate(database, path, sessionStoreFormat);
    database.close();
  });

  test("of a newer version is refused, and the error says what to do", () => {
    const path = temporary();
    void open({ path }).close();
    const database = new Database(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    expect(() => open({ path })).toThrow(StoreError);
    expect(() => open({ path })).toThrow(
      expect.objectContaining({
        code: "newer_format",
        path,
        message: expect.stringMatching(
          /sessions\.sqlite has format 99; .* supports formats up to \d+\. Update the library$/,
        ),
      }),
    );
  });

  test("that no version of the library has written is damage, and no migration runs", () => {
    const path = temporary();
    void open({ path }).close();
    const database = new Database(path);
    database.exec("PRAGMA user_version = -1");
    const added = (next: typeof database) => void next.exec("ALTER TABLE sessions ADD COLUMN added TEXT");
    const newer = { ...sessionStoreFormat, migrations: [...migrations, added] };
    expect(() => migrate(database, path, newer)).toThrow(expect.objectContaining({ code: "corrupt", path }));
    expect(() => database.prepare("SELECT added FROM sessions")).toThrow();
    database.close();
  });

  // One file for each released format. They are never changed.
  test.each(["format-1"])("history.old-logs-load: %s still loads", async (name) => {
    const path = temporary();
    mkdirSync(dirname(path));
    copyFileSync(fileURLToPath(new URL(`../../test/fixtures/${name}.sqlite`, import.meta.url)), path);
    const sessions = open({ path }).owner("local");
    expect((await sessions.list({ limit: 10 })).sessions).toMatchObject([
      { sessionId: "old", cwd: "/work", title: "What is in this folder?", additionalDirectories: ["/more"] },
    ]);
    expect(replayOf(await sessions.read("old"))).toEqual([
      {
        sessionUpdate: "user_message_chunk",
        messageId: "user_1",
        content: { type: "text", text: "What is in this folder?" },
      },
      {
        sessionUpdate: "tool_call",
        toolCallId: "c",
        title: "List",
        kind: "search",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "a.txt" } }],
      },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "One file: a.txt." } },
    ]);
    const log = await sessions.open("old");
    await log.append(prompted("and now?"));
  });
});

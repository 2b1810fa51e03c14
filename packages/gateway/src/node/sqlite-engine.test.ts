import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "libsql";
import { afterEach, describe, expect, test } from "vitest";
import type { Engine, Lease, Membership } from "../engine/engine.js";
import { engineContract } from "../engine/engine-contract.js";
import { sqliteEngine } from "./sqlite-engine.js";

const folders: string[] = [];
function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-gateway-"));
  folders.push(folder);
  return join(folder, "state", "gateway.sqlite");
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const ann = { tenant: "t", user: "ann" };
const all = { maxEntries: 1_000, maxChars: 1_000_000 };

async function acquired(member: Membership): Promise<{ lease: Lease }> {
  const acquired = await member.acquire({ scope: ann, sessionId: "s" });
  if (acquired.is !== "held") throw new Error(acquired.is);
  return acquired;
}

/** Creates the session `s` and acquires it. */
async function held(engine: Engine): Promise<{ member: Membership; lease: Lease }> {
  await engine.create(ann, { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" });
  const member = await engine.join({ id: "a", ttlMs: 60_000, onMessage: () => {} });
  return { member, ...(await acquired(member)) };
}

describe("the SQLite engine", () => {
  const cases = engineContract(() => {
    let now = 1_000;
    const engine = sqliteEngine({ path: temporaryPath(), now: () => now });
    const advance = (ms: number): void => {
      now += ms;
    };
    return { engine, advance, dispose: () => engine.close() };
  });
  test.each(cases)("$name", ({ run }) => run());

  // One file for each released format. They are never changed.
  test.each([1])("a file in format %i is opened, with its sessions", async (format) => {
    const path = temporaryPath();
    mkdirSync(dirname(path));
    copyFileSync(new URL(`../../test/fixtures/format-${format}.sqlite`, import.meta.url), path);
    const engine = sqliteEngine({ path });
    const key = { scope: ann, sessionId: "saved" };
    expect(await engine.find(key)).toMatchObject({ cwd: "/work", title: "A title", additionalDirectories: ["/more"] });
    expect((await engine.list(ann, { limit: 5 })).sessions).toMatchObject([{ sessionId: "saved" }]);
    expect(await engine.read(key, undefined, all)).toMatchObject({
      entries: [
        { seq: 2, text: '{"type":"second"}' },
        { seq: 3, text: '{"type":"third"}' },
        { seq: 4, text: '{"type":"recent"}' },
      ],
    });
    const member = await engine.join({ id: "new", ttlMs: 60_000, onMessage: () => {} });
    const held = await member.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    expect(await member.append(held.lease, 5, ["{}"])).toEqual({ is: "appended" });
    await engine.close();
  });

  test("appends and timers run between the steps of a long trim", async () => {
    const engine = sqliteEngine({ path: temporaryPath() });
    await engine.create(ann, { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" });
    const member = await engine.join({ id: "a", ttlMs: 60_000, onMessage: () => {} });
    const held = await member.acquire({ scope: ann, sessionId: "s" });
    if (held.is !== "held") throw new Error(held.is);
    const texts = Array.from({ length: 10_000 }, (_, i) => `${i}`);
    await member.append(held.lease, 1, texts);
    let isTrimmed = false;
    const trimming = member.trim(held.lease, 10_001).then(() => {
      isTrimmed = true;
    });
    for (let turns = 0; turns < 5; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(await member.append(held.lease, 10_001 + turns, ["more"])).toEqual({ is: "appended" });
      expect(isTrimmed).toBe(false);
    }
    await trimming;
    expect(await engine.read({ scope: ann, sessionId: "s" }, undefined, all)).toMatchObject({
      entries: Array.from({ length: 5 }, () => ({ text: "more" })),
    });
    await engine.close();
  });

  test("appends wait while the file is locked for a moment, and fail if it stays locked", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path });
    const { member, lease } = await held(engine);
    const other = new Database(path);
    other.exec("BEGIN IMMEDIATE");
    const waiting = Promise.all([member.append(lease, 1, ["1"]), member.append(lease, 2, ["2"], { title: "T" })]);
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
    const later = member.append(lease, 3, ["3"]);
    other.exec("ROLLBACK");
    expect([...(await waiting), await later]).toEqual(Array(3).fill({ is: "appended" }));
    other.exec("BEGIN IMMEDIATE");
    await expect(member.append(lease, 4, ["4"])).rejects.toMatchObject({ code: "unavailable" });
    other.exec("ROLLBACK");
    expect(await member.append(lease, 4, ["4"])).toEqual({ is: "appended" });
    const page = await engine.read({ scope: ann, sessionId: "s" }, undefined, all);
    expect(page).toMatchObject({ entries: ["1", "2", "3", "4"].map((text) => ({ text })) });
    other.close();
    await engine.close();
  });

  test("returns no entry whose text was changed in the file, even if it is still JSON", async () => {
    const path = temporaryPath();
    const key = { scope: ann, sessionId: "s" };
    const engine = sqliteEngine({ path });
    const { member, lease } = await held(engine);
    await member.append(lease, 1, ['"one"', '"two"']);
    const { lease: second } = await acquired(member);
    await member.append(second, 3, ['"three"', '"four"']);
    await engine.close();
    const file = new Database(path);
    file.exec(`UPDATE parts SET texts = replace(texts, 'four', 'five')`);
    file.close();
    const damaged = sqliteEngine({ path });
    const first = { seq: 2, epoch: lease.epoch };
    expect(await damaged.read(key, undefined, { ...all, maxEntries: 1 })).toMatchObject({
      entries: [{ text: '"one"' }],
    });
    const corrupt = expect.objectContaining({ code: "corrupt" });
    await expect(damaged.read(key, first, all)).rejects.toEqual(corrupt); // a page of one epoch
    await expect(damaged.read(key, undefined, all)).rejects.toEqual(corrupt);
    await damaged.close();
  });

  test("returns no page in which entries are missing", async () => {
    const path = temporaryPath();
    const key = { scope: ann, sessionId: "s" };
    const engine = sqliteEngine({ path });
    const { member } = await held(engine);
    for (const first of [1, 3, 5]) await member.append((await acquired(member)).lease, first, [`${first}`, "more"]);
    const { lease } = await acquired(member);
    await member.append(
      lease,
      7,
      Array.from({ length: 300 }, (_, i) => `${i}`),
    );
    await engine.close();
    const file = new Database(path);
    file.exec("DELETE FROM parts WHERE first_seq IN (3, 107)");
    file.close();
    const damaged = sqliteEngine({ path });
    const corrupt = expect.objectContaining({ code: "corrupt" });
    await expect(damaged.read(key, undefined, all)).rejects.toEqual(corrupt);
    // A page of one epoch
    await expect(damaged.read(key, { seq: 8, epoch: lease.epoch }, all)).rejects.toEqual(corrupt);
    await damaged.close();
  });

  test("keeps the last change of a record that one transaction changes twice", async () => {
    const engine = sqliteEngine({ path: temporaryPath() });
    const key = { scope: ann, sessionId: "s" };
    const { member, lease } = await held(engine);
    const changes = [
      member.append(lease, 1, ["1"], { state: "1", title: "T" }),
      member.append(lease, 2, ["2"], { state: "2" }),
    ];
    expect(await Promise.all(changes)).toEqual([{ is: "appended" }, { is: "appended" }]);
    expect(await engine.find(key)).toMatchObject({ state: "2", title: "T" });
    await engine.close();
  });

  test("keeps all sessions when it is opened again, but no leases", async () => {
    const path = temporaryPath();
    const first = sqliteEngine({ path });
    await first.create(ann, { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" });
    const key = { scope: ann, sessionId: "s" };
    const before = await first.join({ id: "a", ttlMs: 60_000, onMessage: () => {} });
    const held = await before.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    await before.append(held.lease, 1, ["1", "2"], { title: "T" });
    await first.close();
    const second = sqliteEngine({ path });
    expect(await second.find(key)).toMatchObject({ title: "T" });
    expect(await second.read(key, { seq: 1, epoch: held.lease.epoch }, all)).toMatchObject({
      entries: [{ text: "2" }],
    });
    const after = await second.join({ id: "b", ttlMs: 60_000, onMessage: () => {} });
    const again = await after.acquire(key);
    if (again.is !== "held") throw new Error(again.is);
    expect(again.last).toEqual({ seq: 2, epoch: held.lease.epoch });
    expect(again.lease.epoch).toBeGreaterThan(held.lease.epoch);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await second.close();
  });

  /** Copies the file of an open engine, as a crash of its process would leave it. */
  function crashed(path: string): string {
    const copy = temporaryPath();
    mkdirSync(dirname(copy));
    // A thread may copy the log to the file meanwhile, and shorten the log after that. Then the copies belong to
    // different moments. (`copyFileSync` never ends if the file becomes shorter.)
    for (let log = readFileSync(`${path}-wal`); ; ) {
      const file = readFileSync(path);
      const again = readFileSync(`${path}-wal`);
      if (again.equals(log)) {
        writeFileSync(copy, file);
        writeFileSync(`${copy}-wal`, log);
        return copy;
      }
      log = again;
    }
  }

  /** The number of rows of a table, in a file that no engine uses. */
  function rowsOf(path: string, table: string): number {
    const file = new Database(path);
    const { count } = file.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get() as { readonly count: number };
    file.close();
    return count;
  }

  test("keeps short appends in recent_appends, and moves them to parts once a session has 100 entries", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path });
    const { member, lease } = await held(engine);
    for (let seq = 1; seq < 100; seq++) await member.append(lease, seq, [`${seq}`]);
    expect(rowsOf(crashed(path), "parts")).toBe(0);
    await member.append(lease, 100, ["100"]);
    expect(rowsOf(crashed(path), "parts")).toBe(1);
    for (let seq = 101; seq <= 1_000; seq++) await member.append(lease, seq, [`${seq}`]);
    expect(rowsOf(crashed(path), "parts")).toBe(10);
    expect(rowsOf(crashed(path), "recent_appends")).toBeLessThan(200);
    await engine.close();
    expect(rowsOf(path, "recent_appends")).toBe(0);
  });

  test("moves the entries of a session that appends nothing more to parts, when other sessions have appended", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path });
    const { member, lease } = await held(engine);
    await member.append(lease, 1, ["only"]);
    await engine.create(ann, { sessionId: "other", cwd: "/", additionalDirectories: [], state: "{}" });
    const other = await member.acquire({ scope: ann, sessionId: "other" });
    if (other.is !== "held") throw new Error(other.is);
    for (let seq = 1; seq < 1_200; seq++) await member.append(other.lease, seq, [`${seq}`]);
    const copy = new Database(crashed(path));
    expect(copy.prepare("SELECT texts FROM parts WHERE session = 1").all()).toEqual([{ texts: "only" }]);
    copy.close();
    await engine.close();
  });

  test("limits recent_appends to about 4 MiB: moves the oldest entries to parts, and writes long appends to parts at once", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path });
    const member = await engine.join({ id: "a", ttlMs: 60_000, onMessage: () => {} });
    const append = async (sessionId: string, text: string) => {
      await engine.create(ann, { sessionId, cwd: "/", additionalDirectories: [], state: "{}" });
      const held = await member.acquire({ scope: ann, sessionId });
      if (held.is !== "held") throw new Error(held.is);
      await member.append(held.lease, 1, [text]);
    };
    await append("long", "x".repeat(8_192));
    expect([rowsOf(crashed(path), "recent_appends"), rowsOf(crashed(path), "parts")]).toEqual([0, 1]);
    for (let i = 0; i < 700; i++) await append(`${i}`, "x".repeat(8_000));
    const copy = new Database(crashed(path));
    const { chars } = copy.prepare("SELECT SUM(LENGTH(texts)) AS chars FROM recent_appends").get() as {
      readonly chars: number;
    };
    copy.close();
    expect(chars).toBeGreaterThan(4_000_000);
    expect(chars).toBeLessThan(4_500_000);
    expect(rowsOf(crashed(path), "parts")).toBeGreaterThan(150);
    await engine.close();
  });

  test("after a crash, every acknowledged entry is there, in recent_appends or in parts", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path, now: () => 7_000 });
    const sessions = Array.from({ length: 5 }, (_, i) => `s${i}`);
    const member = await engine.join({ id: "a", ttlMs: 60_000, onMessage: () => {} });
    const leases = new Map<string, Lease>();
    const texts = new Map<string, string[]>();
    const acquire = async (sessionId: string) => {
      const held = await member.acquire({ scope: ann, sessionId });
      if (held.is === "held") leases.set(sessionId, held.lease);
    };
    for (const sessionId of sessions) {
      await engine.create(ann, { sessionId, cwd: "/", additionalDirectories: [], state: "{}" });
      await acquire(sessionId);
      texts.set(sessionId, []);
    }
    for (let round = 0; round < 300; round++) {
      const append = (sessionId: string, i: number) => {
        const known = texts.get(sessionId) ?? [];
        const more = Array.from({ length: 1 + ((round * (i + 1)) % 7) }, (_, n) => `${sessionId} ${known.length + n}`);
        known.push(...more);
        return member.append(leases.get(sessionId) as Lease, known.length + 1 - more.length, more);
      };
      await Promise.all(sessions.map(append));
      if (round % 45 === 0) await acquire(sessions[round % 5] as string);
      if (round === 200) await member.trim(leases.get("s1") as Lease, 50);
      if (round === 210) await engine.delete({ scope: ann, sessionId: "s0" });
      if (round === 210) sessions.shift();
      if (round % 23 !== 0) continue;
      const restored = sqliteEngine({ path: crashed(path) });
      const next = await restored.join({ id: "b", ttlMs: 60_000, onMessage: () => {} });
      for (const sessionId of sessions) {
        const key = { scope: ann, sessionId };
        const page = await restored.read(key, undefined, all);
        const first = round >= 200 && sessionId === "s1" ? 49 : 0;
        const expected = texts.get(sessionId)?.slice(first, first + all.maxEntries) ?? [];
        expect(page.is === "page" ? page.entries.map(({ text }) => text) : page).toEqual(expected);
        expect(await restored.find(key)).toMatchObject({ updatedAt: 7_000 });
        expect(await next.acquire(key)).toMatchObject({ is: "held", last: { seq: texts.get(sessionId)?.length } });
      }
      await restored.close();
    }
    await engine.close();
  });

  test("does not open a file in which a recent append is damaged or missing", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path });
    const { member, lease } = await held(engine);
    for (let seq = 1; seq <= 3; seq++) await member.append(lease, seq, [`"text ${seq}"`]);
    const damages = [
      "UPDATE recent_appends SET texts = replace(texts, 'text 2', 'text 9')",
      "UPDATE recent_appends SET crc = 'no number' WHERE id = 1",
      "UPDATE recent_appends SET texts = x'ff' WHERE id = 3",
      "DELETE FROM recent_appends WHERE id = 2",
    ];
    for (const damage of damages) {
      const copy = crashed(path);
      const file = new Database(copy);
      file.exec(damage);
      file.close();
      const corrupt = expect.objectContaining({ name: "StoreError", code: "corrupt", path: copy });
      expect(() => sqliteEngine({ path: copy })).toThrow(corrupt);
      expect(() => sqliteEngine({ path: copy })).toThrow(corrupt); // not `busy`: the lock was released
    }
    await engine.close();
  });

  test("keeps no text of a deleted session in recent_appends", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path });
    const { member, lease } = await held(engine);
    await member.append(lease, 1, ["secret"]);
    await engine.delete({ scope: ann, sessionId: "s" });
    const copy = crashed(path);
    expect([rowsOf(copy, "recent_appends"), rowsOf(copy, "parts")]).toEqual([0, 0]);
    await engine.close();
  });

  test("a process that opened the lock while another process released it holds the only lock", async () => {
    const path = temporaryPath();
    const first = sqliteEngine({ path });
    const opening = new Database(`${path}-holder-${"0".repeat(16)}`);
    await first.close();
    opening.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    const busy = expect.objectContaining({ name: "StoreError", code: "busy" });
    expect(() => sqliteEngine({ path })).toThrow(busy);
    opening.close();
    await sqliteEngine({ path }).close();
  });

  test.skipIf(process.platform === "win32")("rejects a link to a file that another engine uses", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path });
    const link = temporaryPath();
    mkdirSync(dirname(link));
    symlinkSync(path, link);
    expect(() => sqliteEngine({ path: link })).toThrow(expect.objectContaining({ name: "StoreError", code: "busy" }));
    await engine.close();
  });

  test("a lease that a power failure lost is not given again, so readers notice that entries are missing", async () => {
    const path = temporaryPath();
    let now = 1_000;
    const engine = sqliteEngine({ path, now: () => now });
    const { member, lease } = await held(engine);
    await member.append(lease, 1, ["one"]);
    const onDisk = crashed(path);
    const { lease: lost } = await acquired(member);
    await member.append(lost, 2, ["lost"]);
    await engine.close();
    now += 1_000;
    const restored = sqliteEngine({ path: onDisk, now: () => now });
    const next = await restored.join({ id: "b", ttlMs: 60_000, onMessage: () => {} });
    const { lease: later } = await acquired(next);
    await next.append(later, 2, ["two"]);
    const key = { scope: ann, sessionId: "s" };
    expect(await restored.read(key, { seq: 2, epoch: lost.epoch }, all)).toMatchObject({ is: "ahead" });
    await restored.close();
  });

  test("accepts a clock with fractions of milliseconds", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path, now: () => 1_000.5 });
    const { member, lease } = await held(engine);
    await member.append(lease, 1, ["one"]);
    const restored = sqliteEngine({ path: crashed(path) });
    expect(await restored.find({ scope: ann, sessionId: "s" })).toMatchObject({ updatedAt: 1_000 });
    await restored.close();
    await engine.close();
  });

  test("rejects a file that another engine uses, a file of another program, and a damaged file", async () => {
    const path = temporaryPath();
    const engine = sqliteEngine({ path });
    expect(() => sqliteEngine({ path })).toThrow(expect.objectContaining({ name: "StoreError", code: "busy", path }));
    await engine.create(ann, { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" });
    await engine.close();
    await sqliteEngine({ path }).close();
    const other = join(dirname(dirname(temporaryPath())), "garbage.sqlite");
    writeFileSync(other, "not a database, but long enough to be read as one".repeat(100));
    expect(() => sqliteEngine({ path: other })).toThrow(
      expect.objectContaining({ name: "StoreError", code: "foreign" }),
    );
  });

  test("a lease can be acquired again after the clock was set back", async () => {
    let now = 1_000_000_000;
    const engine = sqliteEngine({ path: temporaryPath(), now: () => now });
    await engine.create(ann, { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" });
    const key = { scope: ann, sessionId: "s" };
    const [a, b] = await Promise.all(["a", "b"].map((id) => engine.join({ id, ttlMs: 1_000, onMessage: () => {} })));
    expect((await a?.acquire(key))?.is).toBe("held");
    now -= 500_000_000;
    expect((await b?.acquire(key))?.is).toBe("held");
    expect(await a?.renew()).toBe(false);
    await engine.close();
  });
});

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
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
    const first = { seq: 2, epoch: 1 };
    expect(await damaged.read(key, undefined, { ...all, maxEntries: 1 })).toMatchObject({
      entries: [{ text: '"one"' }],
    });
    const corrupt = expect.objectContaining({ code: "corrupt" });
    await expect(damaged.read(key, first, all)).rejects.toEqual(corrupt); // a page of one epoch
    await expect(damaged.read(key, undefined, all)).rejects.toEqual(corrupt);
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
    expect(again).toMatchObject({ is: "held", last: { seq: 2, epoch: 1 }, lease: { epoch: 2 } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await second.close();
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

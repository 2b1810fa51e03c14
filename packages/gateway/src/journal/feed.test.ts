import { expect, it } from "vitest";
import type { Engine } from "../engine/engine.js";
import { memoryEngine } from "../engine/memory-engine.js";
import { Feed } from "./feed.js";
import { storedEntry } from "./recorded-entry.js";

const key = { scope: { tenant: "t", user: "u" }, sessionId: "s" };
const texts = (count: number): string[] => Array.from({ length: count }, () => '{"type":"trimmed"}');
const limits = { maxRecentChars: 1_000, page: { maxEntries: 10, maxChars: 1_000 } };

it("a feed moves to the end of the journal when the entries after the feed's last entry were removed, and notifies its readers", async () => {
  const engine = memoryEngine();
  await engine.create(key.scope, { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" });
  const owner = await engine.join({ id: "owner", ttlMs: 10_000, onMessage: () => {} });
  const held = await owner.acquire(key);
  if (held.is !== "held") throw new Error(held.is);
  const { lease } = held;
  await owner.append(lease, 1, texts(3));
  const feed = new Feed(engine, key, { seq: 3, epoch: lease.epoch }, limits);
  await owner.append(lease, 4, texts(3));
  await owner.trim(lease, 6);
  let pushes = 0;
  feed.onPush(() => pushes++);
  await expect(feed.pull()).resolves.toBe("read");
  expect(pushes).toBe(1);
  expect(feed.last).toEqual({ seq: 6, epoch: lease.epoch });
  await expect(feed.read({ seq: 3, epoch: lease.epoch })).resolves.toEqual({ is: "expired" });
  await engine.close();
});

it("a reader that has read everything finds the next entries in memory, however large they are", () => {
  const begin = { seq: 3, epoch: 1 };
  const feed = new Feed(memoryEngine(), key, begin, { ...limits, maxRecentChars: 1_000_000 });
  const reader = { position: begin, onPush: () => {} };
  feed.addReader(reader);
  for (let seq = 4; seq < 10; seq++) {
    const text = JSON.stringify({ type: "session_lost", message: "x".repeat(20_000) });
    feed.push([storedEntry({ seq, epoch: 1, text })]);
    expect(feed.read(reader.position)).toMatchObject({ is: "page", entries: [{ seq }] });
    reader.position = { seq, epoch: 1 };
  }
});

it.each([3, 5])("a feed at entry 3 rejects a page of the engine that begins with entry %i", async (seq) => {
  const text = '{"type":"trimmed"}';
  const entries = [{ seq, epoch: 1, text }];
  const engine: Engine = Object.assign(memoryEngine(), {
    read: () => Promise.resolve({ is: "page", entries, last: { seq: 9, epoch: 1 } } as const),
  });
  const feed = new Feed(engine, key, { seq: 3, epoch: 1 }, limits);
  const corrupt = { name: "EngineError", code: "corrupt" };
  await expect(feed.pull()).rejects.toMatchObject(corrupt);
  await expect(feed.read({ seq: 3, epoch: 0 })).rejects.toMatchObject(corrupt);
  const pages = feed.history({ seq: 9, epoch: 1 });
  await pages.next();
  entries[0] = { seq: 1, epoch: 1, text };
  await expect(pages.next()).rejects.toMatchObject(corrupt);
});

it("a history whose last entry was lost, or replaced by one of a later owner, is not read to its end", async () => {
  const entries = [1, 2, 3].map((seq) => ({ seq, epoch: seq === 3 ? 2 : 1, text: '{"type":"trimmed"}' }));
  const engine: Engine = Object.assign(memoryEngine(), {
    read: () => Promise.resolve({ is: "page", entries, last: { seq: 3, epoch: 2 } } as const),
  });
  const feed = new Feed(engine, key, { seq: 3, epoch: 1 }, limits);
  await expect(feed.history({ seq: 3, epoch: 1 }).next()).rejects.toMatchObject({ code: "unavailable" });
  const pages = feed.history({ seq: 4, epoch: 2 });
  await expect(pages.next()).resolves.toMatchObject({ value: { length: 3 } });
  entries.length = 0;
  await expect(pages.next()).rejects.toMatchObject({ code: "unavailable" });
});

it("gateway.turns: a reader of a long journal lets others work after each page, and a reader of a few entries does not wait", async () => {
  const engine = memoryEngine();
  await engine.create(key.scope, { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" });
  const owner = await engine.join({ id: "owner", ttlMs: 10_000, onMessage: () => {} });
  const held = await owner.acquire(key);
  if (held.is !== "held") throw new Error(held.is);
  const { epoch } = held.lease;
  await owner.append(held.lease, 1, texts(1_000));
  let turns = 0;
  const turn = async (): Promise<void> => {
    turns += 1;
  };
  const page = { maxEntries: 200, maxChars: 1_000_000 };
  const feed = new Feed(engine, key, { seq: 1_000, epoch }, { maxRecentChars: 1_000, page, turn });
  let read = 0;
  for await (const entries of feed.history({ seq: 1_000, epoch })) read += entries.length;
  expect([read, turns]).toEqual([1_000, 5]);
  await feed.read({ seq: 990, epoch });
  expect(turns).toBe(5);
  await engine.close();
});

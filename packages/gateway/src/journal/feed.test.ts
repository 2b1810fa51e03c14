import { expect, it } from "vitest";
import { memoryEngine } from "../engine/memory-engine.js";
import { Feed } from "./feed.js";

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

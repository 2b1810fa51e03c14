import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import { settled } from "../../test/rig.js";
import type { Replica } from "../cluster/replica.js";
import type { Engine } from "../engine/engine.js";
import type { JournalPage } from "../engine/journal-page.js";
import { Feed } from "../journal/feed.js";
import { storedEntry } from "../journal/recorded-entry.js";
import { PrincipalMemory } from "../principal-memory.js";
import { SessionReader } from "./session-reader.js";

const { unread: room } = new PrincipalMemory(1_000).enter({ tenant: "t", user: "ann" });
const key = { scope: { tenant: "t", user: "ann" }, sessionId: "s" };
const limits = { maxRecentChars: 0, page: { maxEntries: 10, maxChars: 1_000 } };
const known = { seq: 6, epoch: 2 };
const shorter: JournalPage = { is: "ahead", last: { seq: 3, epoch: 2 } };

test("a client that resumes a session receives the entries that are added while the record of the session is read", async () => {
  const clock = new ManualClock();
  const end: JournalPage = { is: "page", entries: [], last: known };
  const engine = { read: async () => end } as unknown as Engine;
  const feed = new Feed(engine, key, known, limits);
  const added = { type: "request_opened", id: "2.1", method: "_x", params: { sessionId: "s" } } as const;
  const replica = {
    find: async () => {
      const state = { kept: { first: 1 }, requests: [] };
      await settled(); // both calls find the state before `added`
      feed.push([storedEntry({ seq: feed.last.seq + 1, epoch: 2, text: JSON.stringify(added) })]);
      return { state };
    },
    expire: async () => {},
    feeds: { open: async () => feed, close: () => {} },
  } as unknown as Replica;
  const reader = new SessionReader(replica, { clock, times: { retryMs: 100, engineGraceMs: 30_000 } }, room);
  const { at } = await reader.open(key);
  const page = await feed.read(at);
  expect(page.is === "page" && page.entries.map(({ seq, entry }) => [seq, entry.type])).toEqual([
    [8, "request_opened"],
  ]);
});

describe("gateway.journal-repair: a client that resumes a session", () => {
  test("waits for lost entries once, not again for those before its cursor", async () => {
    const clock = new ManualClock();
    const engine = { mayLose: true, read: async () => shorter } as unknown as Engine;
    const feed = new Feed(engine, key, known, limits);
    const replica = {
      find: async () => ({ state: { kept: { first: 1 }, requests: [] } }),
      expire: async () => {},
      feeds: { open: async () => feed, close: () => {} },
    } as unknown as Replica;
    const reader = new SessionReader(replica, { clock, times: { retryMs: 100, engineGraceMs: 30_000 } }, room);
    const opening = reader.open(key);
    await clock.advance(10_100);
    const session = await opening;
    expect(session.at).toEqual(shorter.last);
    await expect(reader.openRequests(session, known)).rejects.toMatchObject({ data: { reason: "journal_lost" } });
  });
});

import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Engine } from "../engine/engine.js";
import type { JournalPage } from "../engine/journal-page.js";
import { Feed } from "../journal/feed.js";
import { SessionReader } from "./session-reader.js";

const key = { scope: { tenant: "t", user: "ann" }, sessionId: "s" };
const limits = { maxRecentChars: 0, page: { maxEntries: 10, maxChars: 1_000 } };
const known = { seq: 6, epoch: 2 };
const shorter: JournalPage = { is: "ahead", last: { seq: 3, epoch: 2 } };

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
    const reader = new SessionReader(replica, { clock, times: { retryMs: 100, engineGraceMs: 30_000 } });
    const opening = reader.open(key);
    await clock.advance(10_100);
    const session = await opening;
    expect(session.at).toEqual(shorter.last);
    await expect(reader.openRequests(session, known)).rejects.toMatchObject({ data: { reason: "journal_lost" } });
  });
});

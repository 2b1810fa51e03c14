import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import { settled } from "../../test/rig.js";
import type { Replica } from "../cluster/replica.js";
import type { Engine } from "../engine/engine.js";
import { EngineError } from "../engine/engine-error.js";
import type { JournalPage, Position } from "../engine/journal-page.js";
import { Feed } from "../journal/feed.js";
import { storedEntry } from "../journal/recorded-entry.js";
import { PrincipalMemory } from "../principal-memory.js";
import { newState } from "../session/session-state.js";
import { ClientView } from "./client-view.js";
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

const textOf = (seq: number): string =>
  JSON.stringify({ type: "turn_started", at: 0, key: `key/${seq}`, prompt: [{ type: "text", text: `${seq}` }] });

describe("a replay", () => {
  /**
   * Reads a history up to the entry 6. After the first page, the turns before the entry 9 are removed, or the engine
   * `fails`.
   */
  async function replayed(from: Position | undefined, fails = false) {
    const page = (first: number, to: number): JournalPage => ({
      is: "page",
      entries: Array.from({ length: to - first + 1 }, (_, i) => ({
        seq: first + i,
        epoch: 2,
        text: textOf(first + i),
      })),
      last: { seq: 10, epoch: 2 },
    });
    let isTrimmed = false;
    const engine = {
      read: async (_: unknown, after: { seq: number } | undefined): Promise<JournalPage> => {
        if (after?.seq === 1) return page(2, 10); // the check of the cursor
        if (after !== undefined) {
          if (fails) throw new EngineError("unavailable", "The engine can't be reached");
          isTrimmed = true;
          return { is: "expired", first: 9 };
        }
        return isTrimmed ? page(9, 10) : page(1, 3);
      },
    } as unknown as Engine;
    const feed = new Feed(engine, key, known, limits);
    const replica = { feeds: { close: () => {} } } as unknown as Replica;
    const clock = new ManualClock();
    const reader = new SessionReader(replica, { clock, times: { retryMs: 100, engineGraceMs: 30_000 } }, room);
    const state = { ...newState("a", {}, "r"), requests: [] };
    const session = { feed, state, at: known, hasLost: false };
    const view = new ClientView({ version: 1, capabilities: {}, clock, report: () => {} }, state, () => {});
    const sent: unknown[] = [];
    const end = await reader.replay(session, from, view, async ({ update }) => void sent.push(update), new Set());
    return { end, sent };
  }

  test("of which the end is removed while it is read has the error cursor_expired, so that no entry is missing", async () => {
    await expect(replayed({ seq: 1, epoch: 2 })).rejects.toMatchObject({ data: { reason: "cursor_expired" } });
  });

  test("that can't be read to its end ends after the sent entries, if the client continues at its position", async () => {
    const { end, sent } = await replayed({ seq: 1, epoch: 2 }, true);
    expect(sent).toHaveLength(2);
    expect(end).toMatchObject({ from: { seq: 3, epoch: 2 }, turn: "key/3" });
    await expect(replayed(undefined, true)).rejects.toMatchObject({ data: { reason: "engine_unavailable" } });
  });

  test("of the whole history without its removed end leaves no turn open", async () => {
    const { end, sent } = await replayed(undefined);
    expect(sent).toHaveLength(3);
    expect(end).toMatchObject({ turn: null, open: [] });
  });
});

describe("gateway.journal-repair: a client that resumes a session", () => {
  test("gets the state at its cursor after the lost entries before it were appended again", async () => {
    const clock = new ManualClock();
    let isRepaired = false;
    const entries = [4, 5, 6].map((seq) => ({ seq, epoch: 2, text: textOf(seq) }));
    const engine = {
      mayLose: true,
      read: async (_: unknown, { seq }: { seq: number }): Promise<JournalPage> => {
        if (isRepaired) return { is: "page", entries: entries.filter((entry) => entry.seq > seq), last: known };
        return seq > 3 ? shorter : { is: "page", entries: [], last: { seq: 3, epoch: 2 } };
      },
    } as unknown as Engine;
    const feed = new Feed(engine, key, { seq: 3, epoch: 2 }, limits);
    const replica = {
      find: async () => ({ state: { kept: { first: 1 }, requests: [], turns: isRepaired ? 6 : 3 } }),
      expire: async () => {},
      feeds: { open: async () => feed, close: () => {} },
    } as unknown as Replica;
    const reader = new SessionReader(replica, { clock, times: { retryMs: 100, engineGraceMs: 30_000 } }, room);
    const opening = reader.open(key, known);
    await clock.advance(500);
    isRepaired = true;
    await clock.advance(500);
    expect(await opening).toMatchObject({ at: known, state: { turns: 6 } });
  });

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

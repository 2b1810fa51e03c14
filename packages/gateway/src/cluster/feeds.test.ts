import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import type { Engine } from "../engine/engine.js";
import type { JournalPage } from "../engine/journal-page.js";
import { Feeds } from "./feeds.js";

const key = { scope: { tenant: "t", user: "ann" }, sessionId: "s" };
const limits = { maxRecentChars: 1_000, page: { maxEntries: 10, maxChars: 1_000 } };
const known = { seq: 6, epoch: 2 };

/** The feed of a session whose journal ended at `known` when it was opened. Its clients read nothing. */
async function opened() {
  const clock = new ManualClock();
  const journal: { page: JournalPage } = { page: { is: "page", entries: [], last: known } };
  let reads = 0;
  const engine = {
    mayLose: true,
    read: async () => {
      reads += 1;
      return journal.page;
    },
    watch: () => () => {},
  } as unknown as Engine;
  const feeds = new Feeds({ engine, limits, clock, isOwned: () => false });
  const feed = await feeds.open(key);
  if (feed === undefined) throw new Error("The session is missing");
  let pushes = 0;
  feed.onPush(() => pushes++);
  const refresh = async (ms: number): Promise<void> => {
    for (let waited = 0; waited < ms; waited += 1_000) {
      await clock.advance(1_000);
      feeds.refresh();
    }
    await clock.advance(0);
  };
  await refresh(1_000);
  return { clock, journal, feed, refresh, reads: () => reads, pushes: () => pushes };
}

describe("gateway.journal-repair: a client of another replica than the owner's", () => {
  test("learns that entries are lost as soon as another replica continues the journal", async () => {
    const { journal, feed, refresh, pushes } = await opened();
    const last = { seq: 4, epoch: 3 };
    journal.page = { is: "ahead", last };
    await refresh(1_000);
    expect({ last: feed.last, pushes: pushes() }).toEqual({ last, pushes: 1 });
  });

  test("learns after 10 seconds that entries are lost if no replica continues the journal", async () => {
    const { journal, feed, refresh, pushes } = await opened();
    const last = { seq: 4, epoch: 2 };
    journal.page = { is: "ahead", last };
    await refresh(10_000);
    expect({ last: feed.last, pushes: pushes() }).toEqual({ last: known, pushes: 0 });
    await refresh(1_000);
    expect({ last: feed.last, pushes: pushes() }).toEqual({ last, pushes: 1 });
  });

  test("learns of no loss if the owner appends the entries again", async () => {
    const { journal, feed, refresh, pushes } = await opened();
    for (let i = 0; i < 2; i++) {
      journal.page = { is: "ahead", last: { seq: 4, epoch: 2 } };
      await refresh(9_000);
      journal.page = { is: "page", entries: [], last: known };
      await refresh(1_000);
    }
    expect({ last: feed.last, pushes: pushes() }).toEqual({ last: known, pushes: 0 });
  });
});

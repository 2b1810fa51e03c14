import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import type { Engine } from "../engine/engine.js";
import type { JournalPage } from "../engine/journal-page.js";
import { Feed } from "./feed.js";
import { pullRepaired, readRepaired } from "./read-repaired.js";

const key = { scope: { tenant: "t", user: "ann" }, sessionId: "s" };
const limits = { maxRecentChars: 1_000, page: { maxEntries: 10, maxChars: 1_000 } };
const after = { seq: 5, epoch: 2 };
const text = JSON.stringify({ type: "session_lost", message: "" });

/** A reader of the six entries of a journal whose engine gives these pages, the last one again and again. */
function reader(pages: JournalPage[], mayLose = true) {
  const clock = new ManualClock();
  const engine = { mayLose, read: async () => (pages.length > 1 ? pages.shift() : pages[0]) } as unknown as Engine;
  const feed = new Feed(engine, key, { seq: 6, epoch: 2 }, limits);
  const wait = { clock, retryMs: 100 };
  return { clock, feed, read: () => readRepaired(feed, after, wait), pull: () => pullRepaired(feed, wait) };
}

const shorter: JournalPage = { is: "ahead", last: { seq: 3, epoch: 2 } };

describe("gateway.journal-repair: a reader of entries that a failover has lost", () => {
  test("waits until the owner has appended them again", async () => {
    const last = { seq: 6, epoch: 2 };
    const { clock, read } = reader([shorter, shorter, { is: "page", entries: [{ ...last, text }], last }]);
    const result = read();
    await clock.advance(200);
    expect(await result).toMatchObject({ is: "page", entries: [{ seq: 6 }] });
  });

  test("waits for the rest when the owner has appended a part of them again", async () => {
    const last = { seq: 6, epoch: 2 };
    const part: JournalPage = { is: "page", entries: [], last: after };
    const { clock, read } = reader([part, part, { is: "page", entries: [{ ...last, text }], last }]);
    const result = read();
    await clock.advance(200);
    expect(await result).toMatchObject({ is: "page", entries: [{ seq: 6 }] });
  });

  test("reports the loss immediately if another replica has a newer lease", async () => {
    expect(await reader([{ is: "ahead", last: { seq: 3, epoch: 3 } }]).read()).toMatchObject({ is: "ahead" });
  });

  test("reports the loss immediately if the engine loses nothing", async () => {
    expect(await reader([shorter], false).read()).toMatchObject({ is: "ahead" });
  });

  test("reports the loss after 10 seconds", async () => {
    const { clock, read } = reader([shorter]);
    const result = read();
    let isOver = false;
    void result.then(() => {
      isOver = true;
    });
    await clock.advance(9_900);
    expect(isOver).toBe(false);
    await clock.advance(200);
    expect(await result).toMatchObject({ is: "ahead" });
  });

  test("that opens the session waits for them, too", async () => {
    const last = { seq: 6, epoch: 2 };
    const { clock, feed, pull } = reader([shorter, shorter, { is: "page", entries: [], last }]);
    const result = pull();
    await clock.advance(200);
    expect(await result).toBe("read");
    expect(feed.last).toEqual(last);
  });

  test.each([
    ["after 10 seconds", shorter, 10_100],
    ["immediately if another replica has a newer lease", { is: "ahead", last: { seq: 3, epoch: 3 } } as const, 0],
  ])("that opens the session opens it without them %s", async (_, page, ms) => {
    const { clock, feed, pull } = reader([page]);
    const result = pull();
    await clock.advance(ms);
    expect(await result).toBe("lost");
    expect(feed.last).toEqual(page.last);
  });

  test("that opens a session which is gone learns that", async () => {
    expect(await reader([{ is: "missing" }]).pull()).toBe("missing");
  });
});

import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import type { Appended, Membership } from "../engine/engine.js";
import { JournalWriter, type WriterEnd } from "./journal-writer.js";
import type { RecordedEntry } from "./recorded-entry.js";

const key = { scope: { tenant: "t", user: "ann" }, sessionId: "s" };
const entry = { type: "session_lost", message: "" } as const;

/** An engine with one journal whose last entries a test can remove, as in a failover. */
function rig(maxRepairChars: number) {
  const clock = new ManualClock();
  const stored: string[] = [];
  const patches: unknown[] = [];
  const received: RecordedEntry[] = [];
  const repairs: number[] = [];
  const ends: WriterEnd[] = [];
  const append: Membership["append"] = async (_, first, texts, patch): Promise<Appended> => {
    if (first !== stored.length + 1) return { is: "misplaced", last: stored.length };
    stored.push(...texts);
    if (patch !== undefined) patches.push(patch);
    return { is: "appended" };
  };
  const writer = new JournalWriter({
    membership: { append } as unknown as Membership,
    lease: { key, epoch: 1 },
    last: 0,
    clock,
    limits: { ...wide, maxRepairChars },
    onDurable: (entries) => void received.push(...entries),
    onRepair: (count) => void repairs.push(count),
    onEnd: (end) => void ends.push(end),
  });
  return { clock, stored, patches, received, repairs, ends, writer };
}

const wide = { maxBatchEntries: 3, maxBatchChars: 1_000, maxUnwrittenChars: 1_000, retryMs: 10, giveUpMs: 100 };

describe("gateway.journal-repair: a journal that lost acknowledged entries", () => {
  test("gets them again from the owner, with the next entry", async () => {
    const { stored, patches, repairs, ends, writer } = rig(1_000);
    for (let i = 1; i <= 10; i++) writer.append(entry, `${i}`, i === 8 ? { state: "eight" } : undefined);
    await writer.durable();
    stored.length = 4;
    writer.append(entry, "11");
    await writer.durable();
    expect(stored).toEqual(Array.from({ length: 11 }, (_, i) => `${i + 1}`));
    expect(patches).toEqual([{ state: "eight" }, { state: "eight" }]);
    expect({ repairs, ends }).toEqual({ repairs: [6], ends: [] });
  });

  test("gets them again without a next entry, if the owner calls `tend`", async () => {
    const { stored, repairs, writer } = rig(1_000);
    for (let i = 1; i <= 5; i++) writer.append(entry, `${i}`);
    await writer.durable();
    stored.length = 3;
    writer.tend();
    await expect.poll(() => stored).toEqual(["1", "2", "3", "4", "5"]);
    expect(repairs).toEqual([2]);
    stored.length = 0; // repaired entries may be lost again
    writer.tend();
    await expect.poll(() => stored).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("gets back the entries of the last 10 seconds, and no older ones: the standby has those", async () => {
    const { clock, stored, repairs, ends, writer } = rig(1_000);
    const append = async (text: string): Promise<void> => {
      writer.append(entry, text);
      await writer.durable();
    };
    for (const text of ["1", "2"]) await append(text);
    await clock.advance(6_000);
    for (const text of ["3", "4"]) await append(text);
    await clock.advance(6_000);
    await append("5");
    stored.length = 2;
    await append("6");
    expect(stored).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(repairs).toEqual([3]);
    stored.length = 1;
    writer.append(entry, "7");
    await writer.durable().catch(() => {});
    expect(ends).toMatchObject([{ is: "failed" }]);
  });

  test("gets them again before the owner releases it", async () => {
    const { stored, repairs, writer } = rig(1_000);
    for (let i = 1; i <= 5; i++) writer.append(entry, `${i}`);
    await writer.durable();
    stored.length = 3;
    await writer.settled();
    expect({ stored, repairs }).toEqual({ stored: ["1", "2", "3", "4", "5"], repairs: [2] });
  });

  test("is not read before its release if its owner has appended nothing recently", async () => {
    const { clock, stored, repairs, writer } = rig(1_000);
    writer.append(entry, "1");
    await writer.durable();
    await clock.advance(31_000);
    stored.length = 0;
    await writer.settled();
    expect({ stored, repairs }).toEqual({ stored: [], repairs: [] });
  });

  test.each([
    ["longer than maxRepairChars", 3, 0],
    ["older than the owner keeps entries", 1_000, 31_000],
  ])("can't be repaired if the lost entries are %s: the owner ends", async (_, maxRepairChars, ms) => {
    const { clock, stored, repairs, ends, writer } = rig(maxRepairChars);
    for (let i = 1; i <= 9; i++) writer.append(entry, `${i}`);
    await writer.durable();
    await clock.advance(ms);
    writer.tend();
    stored.length = 2;
    writer.append(entry, "10");
    await expect(writer.durable()).rejects.toMatchObject({ is: "failed" });
    expect({ stored, repairs, ends }).toMatchObject({ stored: ["1", "2"], repairs: [], ends: [{ is: "failed" }] });
  });
});

describe("the confirmation of a lease", () => {
  test("comes from an append that is sent after the question, not from one that was under way", async () => {
    const { stored, writer } = rig(0);
    const order: string[] = [];
    writer.append(entry, "1");
    await Promise.resolve(); // the append is under way
    const confirmed = writer.confirm().then(() => void order.push("confirmed"));
    writer.append(entry, "2");
    const written = writer.durable().then(() => void order.push("written"));
    await Promise.all([confirmed, written]);
    expect({ stored, order: order.sort() }).toEqual({ stored: ["1", "2"], order: ["confirmed", "written"] });
  });

  test("rejects when the writer is closed before it comes", async () => {
    const { writer } = rig(0);
    const confirmed = writer.confirm();
    writer.close();
    await expect(confirmed).rejects.toEqual({ is: "closed" });
    await expect(writer.confirm()).rejects.toEqual({ is: "closed" });
  });
});

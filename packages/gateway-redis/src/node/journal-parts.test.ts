import { type JournalPart, journalPartsOf } from "@acp-kit/gateway";
import { describe, expect, test } from "vitest";
import { entriesOf, type PartReply } from "./journal-parts.js";

const all = { maxEntries: 1_000, maxChars: 1_000_000 };

/** Returns the parts as Redis does. The running total is not needed. */
const repliesOf = (parts: readonly JournalPart[], epoch = 7): PartReply[] =>
  parts.map(({ first, last, texts }) => [`${last}-${epoch}`, [`${first}-0`, texts]]);

describe("the entries of parts", () => {
  const parts = repliesOf([...journalPartsOf(["1", "22", "3"], 1), ...journalPartsOf(["4", "5"], 4)]);
  const seqs = (after: number, limits: object): number[] =>
    entriesOf(parts, after, { ...all, ...limits }).map(({ seq }) => seq);

  test("have the numbers and the epoch of their part", () => {
    expect(
      entriesOf([...repliesOf(journalPartsOf(["a", "b"], 1), 3), ...repliesOf(journalPartsOf(["c"], 3), 9)], 1, all),
    ).toEqual([
      { seq: 2, epoch: 3, text: "b" },
      { seq: 3, epoch: 9, text: "c" },
    ]);
  });

  test("are split at the line ends, but not if the part has one entry", () => {
    const texts = ["a", "", "\n", "c\nd", "e"];
    expect(entriesOf(repliesOf(journalPartsOf(texts, 1)), 0, all).map(({ text }) => text)).toEqual(texts);
  });

  test("begin after the position and end at each limit, also inside a part", () => {
    expect(seqs(0, {})).toEqual([1, 2, 3, 4, 5]);
    expect(seqs(2, {})).toEqual([3, 4, 5]);
    expect(seqs(1, { maxEntries: 3 })).toEqual([2, 3, 4]);
    expect(seqs(0, { maxChars: 3 })).toEqual([1, 2]);
    expect(seqs(0, { maxChars: 5 })).toEqual([1, 2, 3, 4]);
    expect(seqs(1, { maxChars: 0 })).toEqual([2]);
    expect(seqs(1, { maxEntries: 0 })).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { entriesOfParts, journalPartLimits, journalPartsOf, type StoredJournalPart } from "./journal-parts.js";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i + 1}`);

describe("the parts of an append", () => {
  test("a small append is one part, with its characters without the line ends", () => {
    expect(journalPartsOf(["a", "", "bc"], 5)).toEqual([{ first: 5, last: 7, chars: 3, texts: "a\n\nbc" }]);
    expect(journalPartsOf([], 5)).toEqual([]);
  });

  test("a part has at most 100 entries", () => {
    const parts = journalPartsOf(numbered(2 * journalPartLimits.maxEntries + 1), 1);
    expect(parts.map(({ first, last }) => [first, last])).toEqual([
      [1, 100],
      [101, 200],
      [201, 201],
    ]);
  });

  test("a part has at most 65,536 characters, unless it has one entry", () => {
    const half = "x".repeat(journalPartLimits.maxChars / 2);
    const parts = journalPartsOf([half, half, "", "y", half + half + half, "z"], 1);
    expect(parts.map(({ first, last, chars }) => [first, last, chars])).toEqual([
      [1, 3, journalPartLimits.maxChars],
      [4, 4, 1],
      [5, 5, 1.5 * journalPartLimits.maxChars],
      [6, 6, 1],
    ]);
  });

  test("an entry with a line end is a part of its own", () => {
    const texts = ["a", "b", "\n", "c\nd", "e"];
    const parts = journalPartsOf(texts, 1);
    expect(parts.map(({ first, last }) => [first, last])).toEqual([
      [1, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
  });
});

describe("the entries of parts", () => {
  const all = { maxEntries: 1_000, maxChars: 1_000_000 };
  const stored = (texts: readonly string[], first: number, epoch = 7): StoredJournalPart[] =>
    journalPartsOf(texts, first).map((part) => ({ ...part, epoch }));
  const parts = [...stored(["1", "22", "3"], 1), ...stored(["4", "5"], 4)];
  const seqs = (after: number, limits: object): number[] =>
    entriesOfParts(parts, after, { ...all, ...limits }).map(({ seq }) => seq);

  test("have the numbers and the epoch of their part", () => {
    expect(entriesOfParts([...stored(["a", "b"], 1, 3), ...stored(["c"], 3, 9)], 1, all)).toEqual([
      { seq: 2, epoch: 3, text: "b" },
      { seq: 3, epoch: 9, text: "c" },
    ]);
  });

  test("are split at the line ends, but not if the part has one entry", () => {
    const texts = ["a", "", "\n", "c\nd", "e"];
    expect(entriesOfParts(stored(texts, 1), 0, all).map(({ text }) => text)).toEqual(texts);
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

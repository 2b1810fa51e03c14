import { describe, expect, test } from "vitest";
import {
  entriesOf,
  type JournalPart,
  MAX_PART_CHARS,
  MAX_PART_ENTRIES,
  type PartReply,
  partsOf,
} from "./journal-parts.js";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i + 1}`);
const all = { maxEntries: 1_000, maxChars: 1_000_000 };

/** Returns the parts as Redis does. The running total is not needed. */
const repliesOf = (parts: readonly JournalPart[], epoch = 7): PartReply[] =>
  parts.map(({ first, last, texts }) => [`${last}-${epoch}`, [`${first}-0`, texts]]);

describe("the parts of an append", () => {
  test("a small append is one part, with its characters without the line ends", () => {
    expect(partsOf(["a", "", "bc"], 5)).toEqual([{ first: 5, last: 7, chars: 3, texts: "a\n\nbc" }]);
    expect(partsOf([], 5)).toEqual([]);
  });

  test("a part has at most 100 entries", () => {
    const parts = partsOf(numbered(2 * MAX_PART_ENTRIES + 1), 1);
    expect(parts.map(({ first, last }) => [first, last])).toEqual([
      [1, 100],
      [101, 200],
      [201, 201],
    ]);
  });

  test("a part has at most 65,536 characters, unless it has one entry", () => {
    const half = "x".repeat(MAX_PART_CHARS / 2);
    const parts = partsOf([half, half, "", "y", half + half + half, "z"], 1);
    expect(parts.map(({ first, last, chars }) => [first, last, chars])).toEqual([
      [1, 3, MAX_PART_CHARS],
      [4, 4, 1],
      [5, 5, 1.5 * MAX_PART_CHARS],
      [6, 6, 1],
    ]);
  });

  test("an entry with a line end is a part of its own", () => {
    const texts = ["a", "b", "\n", "c\nd", "e"];
    const parts = partsOf(texts, 1);
    expect(parts.map(({ first, last }) => [first, last])).toEqual([
      [1, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
    expect(entriesOf(repliesOf(parts), 0, all).map(({ text }) => text)).toEqual(texts);
  });
});

describe("the entries of parts", () => {
  const parts = repliesOf([...partsOf(["1", "22", "3"], 1), ...partsOf(["4", "5"], 4)]);
  const seqs = (after: number, limits: object): number[] =>
    entriesOf(parts, after, { ...all, ...limits }).map(({ seq }) => seq);

  test("have the numbers and the epoch of their part", () => {
    expect(entriesOf([...repliesOf(partsOf(["a", "b"], 1), 3), ...repliesOf(partsOf(["c"], 3), 9)], 1, all)).toEqual([
      { seq: 2, epoch: 3, text: "b" },
      { seq: 3, epoch: 9, text: "c" },
    ]);
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

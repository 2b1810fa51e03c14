import { describe, expect, test } from "vitest";
import { journalPartLimits, journalPartsOf } from "./journal-parts.js";

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

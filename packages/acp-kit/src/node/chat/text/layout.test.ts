import { expect, it } from "vitest";
import { truncate, widthOf, wrap } from "./layout.js";
import { createPaint } from "./paint.js";
import { stripEscapes } from "./strip-escapes.js";

const { bold, red } = createPaint(true);

it("breaks lines between words, and inside words that are wider than a line", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrap("see abcdefghijklm", 6)).toEqual(["see ab", "cdefgh", "ijklm"]);
  expect(wrap("a\n\nb", 4)).toEqual(["a", "", "b"]);
  expect(wrap("漢字漢字", 5)).toEqual(["漢字", "漢字"]);
});

it("keeps indentation, and drops spaces at a break", () => {
  expect(wrap("  one two three", 7)).toEqual(["  one", "  two", "  three"]);
  expect(wrap(`one${" ".repeat(50)}two`, 7)).toEqual(["one", "two"]);
});

it("ends styles at the end of each line and begins them again in the next line", () => {
  expect(wrap(bold(`one ${red("two three")} four`), 7)).toEqual([
    "\u001b[1mone \u001b[31mtwo\u001b[22m\u001b[39m",
    "\u001b[1m\u001b[31mthree\u001b[39m\u001b[22m",
    "\u001b[1mfour\u001b[22m",
  ]);
});

it("cuts a line with an ellipsis, outside of its styles", () => {
  expect(truncate("abcdef", 6)).toBe("abcdef");
  expect(truncate("abcdef", 5)).toBe("abcd…");
  expect(truncate(bold("abcdef"), 5)).toBe("\u001b[1mabcd\u001b[22m…");
  expect(truncate(bold("abcdef"), 6)).toBe(bold("abcdef"));
  expect(truncate("漢字漢字", 5)).toBe("漢字…");
  expect(truncate("ab", 1)).toBe("…");
  expect(truncate("ab", 0)).toBe("");
});

it("counts columns as a terminal does", () => {
  expect(["abc", bold("abc"), "漢字", "e\u0301", "👨‍👩‍👧", "❤️‍🔥", "1️⃣", "🇩🇪", "👍🏽", "한"].map(widthOf)).toEqual([
    3, 3, 4, 1, 2, 2, 2, 2, 2, 2,
  ]);
});

it("keeps the indentation of a coloured line, whether the line needs wrapping or not", () => {
  const line = "\u001b[36m    return one, two\u001b[39m";
  expect(wrap(line, 19).map(stripEscapes)).toEqual(["    return one, two"]);
  expect(wrap(line, 16).map(stripEscapes)).toEqual(["    return one,", "    two"]);
});

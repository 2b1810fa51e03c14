import { expect, it } from "vitest";
import { memoryOf } from "./memory-of.js";

it.each([
  ["[]".repeat(1), 1],
  [`[${"{},".repeat(9_999)}{}]`, 15],
  [`[${"[],".repeat(9_999)}[]]`, 10],
  [JSON.stringify("x".repeat(100_000)), 1],
])("counts a parsed value by its memory and not by its text: case %#", (text, factor) => {
  expect(memoryOf(JSON.parse(text))).toBeGreaterThanOrEqual(factor * text.length);
});

it("counts names and values of members", () => {
  expect(memoryOf({ name: "value" })).toBeGreaterThan(memoryOf({ n: "v" }));
  expect(memoryOf({ a: [1, null, true], b: "text" })).toBeLessThan(400);
});

import { expect, it } from "vitest";
import { ByteLines } from "./byte-lines.js";
import { emptyBelow, MAX_LEVELS } from "./input-limits.js";

const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

it.each([1, 511, 512])("does not change a value of %i levels", (levels) => {
  const value = nested(levels);
  expect(emptyBelow(value)).toBe(false);
  expect(JSON.stringify(value)).toBe(JSON.stringify(nested(levels)));
});

it.each([513, 100_000])("cuts a value of %i levels, so that it can be written and read again", (levels) => {
  const value = nested(levels);
  expect(emptyBelow(value)).toBe(true);
  expect(JSON.stringify(value)).toBe(JSON.stringify(nested(MAX_LEVELS)));
});

it("empties only the containers that are too deep, and keeps their type", () => {
  const message = { id: 1, result: { a: [{ b: [1] }], c: { d: 1 } } };
  expect(emptyBelow(message, 3)).toBe(true);
  expect(message).toEqual({ id: 1, result: { a: [], c: { d: 1 } } });
});

it("discards a line that is too long, and continues with the next line", () => {
  const lines: string[] = [];
  const input = new ByteLines(
    (line) => lines.push(typeof line === "string" ? line : new TextDecoder().decode(line)),
    8,
  );
  for (const text of ["ab\n1234", "5678", "9", "0\ncd\n", "12345678\n123456789\nlast"]) {
    input.push(new TextEncoder().encode(text));
  }
  input.end();
  expect(lines).toEqual(["ab", "too long", "cd", "12345678", "too long", "last"]);
});

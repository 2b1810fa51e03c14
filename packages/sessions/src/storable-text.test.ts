import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isStorable, storable, utf8Bytes } from "./storable-text.js";

/** Any UTF-16, of any length: halves of surrogate pairs and NUL included. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7ff, max: 0xe000 }), fc.constant(0)), {
    maxLength: 2_000,
    size: "max",
  })
  .map((units) => units.map((unit) => String.fromCharCode(unit)).join(""));

describe("a text to be stored", () => {
  test.each([
    ["", true],
    ["a", true],
    ["😀", true],
    ["\ufffd", true],
    ["\ud800", false],
    ["a\udc00b", false],
    ["\udc00\ud800", false],
    ["a\0b", false],
  ])("%j: %s", (text, expected) => {
    expect(isStorable(text)).toBe(expected);
    expect(isStorable(storable(text))).toBe(true);
    if (expected) expect(storable(text)).toBe(text);
  });

  test("has the same number of bytes as in UTF-8, and is read back unchanged if it is storable", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(utf8Bytes(text)).toBe(bytes.length);
        expect(isStorable(text)).toBe(
          !text.includes("\0") && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) === text,
        );
      }),
    );
  });

  test.each(["a", "\ud800", "\udc00", "😀", "\0"])(
    "hostile.linear-session-texts: that repeats %j is read in time that grows linearly",
    async (unit) => {
      const read = (size: number): unknown => {
        const text = unit.repeat(size);
        return [isStorable(`${text}!`), storable(text), utf8Bytes(text)];
      };
      expect(await growthOf(read)).toBeLessThan(LINEAR);
    },
  );
});

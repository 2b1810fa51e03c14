import fc from "fast-check";
import { expect, test } from "vitest";
import { methodNotFound } from "./rpc-error.js";
import { shorten } from "./shorten.js";

test("a text is the same up to its limit, and cut with an ellipsis beyond", () => {
  expect(shorten("x".repeat(256))).toBe("x".repeat(256));
  expect(shorten("x".repeat(257))).toBe(`${"x".repeat(255)}…`);
  expect(shorten("abcdef", 4)).toBe("abc…");
});

test("no text is longer than its limit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), fc.integer({ min: 1, max: 300 }), (text, limit) => {
      const short = shorten(text, limit);
      expect(short.length).toBeLessThanOrEqual(limit);
      expect(text.startsWith(short.replace(/…$/, ""))).toBe(true);
    }),
  );
});

test("hostile.echo: the answer to an unknown method doesn't repeat a name of a megabyte", () => {
  expect(JSON.stringify(methodNotFound("x".repeat(2 ** 20))).length).toBeLessThan(1_000);
});

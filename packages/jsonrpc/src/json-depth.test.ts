import fc from "fast-check";
import { expect, test } from "vitest";
import { isDeeperThan, withinDepth } from "./json-depth.js";

/** Returns arrays and objects that are nested `depth` levels deep. */
function nested(depth: number): unknown {
  let value: unknown = "end";
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}

test.each([0, 1, 2, 7, 31, 32, 33, 200])("%i levels are not deeper than that, one more are", (depth) => {
  expect(isDeeperThan(nested(depth), depth)).toBe(false);
  expect(isDeeperThan(nested(depth + 1), depth)).toBe(true);
});

test("a value of any depth is looked at and cut without going deeper than the limit", () => {
  expect(withinDepth(nested(1_000_000), 4)).toEqual({ value: [{ value: [null] }] });
});

test("a depth of a million and a width of a million are measured without recursion", () => {
  expect(isDeeperThan(nested(1_000_000), 200)).toBe(true);
  expect(isDeeperThan(nested(1_000_000), 2_000_000)).toBe(false);
  expect(isDeeperThan(new Array(1_000_000).fill([]), 2)).toBe(false);
  expect(isDeeperThan(new Array(1_000_000).fill([]), 1)).toBe(true);
});

test("the replacement stands where a value was cut", () => {
  expect(withinDepth([1, { a: [2] }, [3]], 2, "too deep")).toEqual([1, { a: "too deep" }, [3]]);
});

test("what is not too deep is the same object, what is too deep keeps everything above the limit", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(8), (value, depth) => {
      const within = withinDepth(value, depth);
      expect(isDeeperThan(within, depth)).toBe(false);
      if (!isDeeperThan(value, depth)) expect(within).toBe(value);
      else if (depth > 0) expect(Object.keys(within as object)).toEqual(Object.keys(value as object));
    }),
  );
});

test("a member of any name stays a member", () => {
  const value = JSON.parse('{"__proto__":{"a":{"b":1}}}');
  expect(JSON.stringify(withinDepth(value, 2))).toBe('{"__proto__":{"a":null}}');
});

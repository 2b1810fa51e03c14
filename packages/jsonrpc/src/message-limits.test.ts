import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { largeJson } from "../test/large-json.js";
import { checkMessageText, checkMessageValue, messageLimitDefaults, messageLimitsOf } from "./message-limits.js";

const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const nodes = (count: number): string => `[${"1,".repeat(count - 1)}1]`;
const limits = { maxMessageDepth: 20, maxMessageNodes: 100 };

it("the defaults keep recursive code from overflowing the stack", () => {
  expect(messageLimitsOf({})).toEqual({ maxMessageDepth: 512, maxMessageNodes: 1_000_000 });
  const deepest = objects(messageLimitDefaults.maxMessageDepth);
  expect(checkMessageText(deepest, messageLimitDefaults)).toBeUndefined();
  expect(JSON.stringify(JSON.parse(deepest))).toBe(deepest);
});

describe.each([
  ["a text", (json: string, max = limits) => checkMessageText(json, max)],
  ["a value", (json: string, max = limits) => checkMessageValue(JSON.parse(json), max)],
])("%s", (_, check) => {
  it.each([
    ["lists", lists],
    ["objects", objects],
  ])("of nested %s may be as deep as the limit, and no deeper", (_kind, deep) => {
    expect(check(deep(20))).toBeUndefined();
    expect(check(deep(21))).toBe("A message is nested deeper than the limit of 20 levels and was skipped.");
    expect(check(deep(3_000), messageLimitDefaults)).toContain("deeper than the limit of 512");
  });

  it("may have as many nodes as the limit, and no more", () => {
    expect(check(nodes(100))).toBeUndefined();
    expect(check(nodes(101))).toBe("A message has more nodes than the limit of 100 and was skipped.");
    expect(check(`[${"[],".repeat(60)}[]]`, { ...limits, maxMessageNodes: 50 })).toContain("more nodes");
  });

  it("is judged by its structure, whatever its strings contain", () => {
    const brackets = `${"[{,".repeat(1_000)}"\\"\\\\"`;
    expect(check(JSON.stringify([brackets, { [brackets]: brackets }, "\\", '"', "\\\\"]))).toBeUndefined();
    expect(check(JSON.stringify(["\\", JSON.parse(lists(21))]))).toContain("deeper");
    expect(check(`["\\\\\\"", ${lists(21)}]`)).toContain("deeper");
  });
});

it("a value that contains itself is too deep", () => {
  const value: Record<string, unknown> = {};
  value.self = value;
  expect(checkMessageValue(value, messageLimitDefaults)).toContain("deeper");
});

it("a value of 100,000 levels doesn't overflow the stack", () => {
  let value: unknown = 1;
  for (let i = 0; i < 100_000; i += 1) value = [value];
  expect(checkMessageValue(value, messageLimitDefaults)).toContain("deeper");
  expect(checkMessageValue(value, { maxMessageDepth: 200_000, maxMessageNodes: 1_000_000 })).toBeUndefined();
});

it.each([
  ["opening brackets", "["],
  ["empty lists", "[],"],
  ["commas in a string that doesn't end", '"', ","],
  ["escaped quotes", '["', '\\",[,'],
  ["backslashes", '["', "\\\\,[{"],
  ["short strings", "[", '"a",'],
])("a text of %s takes linear time, and is read up to the limit that it passes", async (_, begin, more = begin) => {
  const check = (size: number) => checkMessageText(begin + more.repeat(size), messageLimitDefaults);
  expect(check(3_000_000) !== undefined).toBe(!begin.includes('"') || begin === more);
  expect(await growthOf(check)).toBeLessThan(LINEAR);
});

it("gives the same verdict for a text and for its value, of any shape", () => {
  const value = fc.jsonValue({ maxDepth: 12 });
  const small = fc.record({
    maxMessageDepth: fc.integer({ min: 1, max: 12 }),
    maxMessageNodes: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(fc.oneof(value, largeJson), small, fc.nat({ max: 12 }), (inner, max, levels) => {
      const wrapped = JSON.parse("[".repeat(levels) + JSON.stringify(inner) + "]".repeat(levels));
      const text = checkMessageText(JSON.stringify(wrapped), max);
      expect(typeof text).toBe(typeof checkMessageValue(wrapped, max));
    }),
    { numRuns: 1_000 },
  );
});

import { expect, test } from "vitest";
import { UnwrittenPrompts } from "./unwritten-prompts.js";

test("a prompt that could not be written stays for its time after the last failure, and only in its session", () => {
  let now = 0;
  const prompts = new UnwrittenPrompts({ now: () => now }, 30);
  prompts.add("one", ["a", "b"]);
  now = 20;
  prompts.add("one", ["a"]);
  now = 30; // the time of the first failure is over
  prompts.age();
  expect(["a", "b"].map((key) => prompts.has("one", key))).toEqual([true, false]);
  expect(prompts.has("two", "a")).toBe(false);
  now = 49;
  expect(prompts.has("one", "a")).toBe(true);
  now = 50;
  expect(prompts.has("one", "a")).toBe(false);
  prompts.age();
  expect(prompts.size).toBe(0);
});

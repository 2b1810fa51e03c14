import { expect, it } from "vitest";
import { Checks } from "./checks.js";

function failuresOf(actual: readonly string[], expected: readonly string[]): readonly string[] {
  const checks = new Checks();
  checks.order(actual, expected, "Here");
  return checks.failures;
}

it("accepts the expected events in the expected order", () => {
  expect(failuresOf(["a", "b", "a"], ["a", "b", "a"])).toEqual([]);
  expect(failuresOf(["a", "b", "b", "b", "c"], ["a", "b*", "c"])).toEqual([]);
  expect(failuresOf(["a", "c"], ["a", "b*", "c"])).toEqual([]);
});

it.each([
  ["a wrong order", ["b", "a"], ["a", "b"], 'at the beginning there should be "a", but there is "b"'],
  ["a missing event", ["a"], ["a", "b"], 'after "a" there should be "b", but there is nothing more'],
  ["another event among repeated ones", ["a", "b", "c", "b"], ["a", "b*"], '"c" should not be there'],
  ["an event too many", ["a", "a"], ["a"], '"a" should not be there'],
])("refuses %s, and says where", (_, actual, expected, message) => {
  expect(failuresOf(actual, expected)).toEqual([`Here: ${message}`]);
});

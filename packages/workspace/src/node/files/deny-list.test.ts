import { describe, expect, test } from "vitest";
import { denyList } from "./deny-list.js";
import { nameProblem } from "./name-problem.js";

/** A quadratic search would need minutes for paths of this length. */
const LENGTHS = [1_000, 100_000];

describe("a pattern", () => {
  test.each([
    ["**/a/**/b", (length: number) => Array.from({ length }, () => "a"), "b"],
    ["**/a/**/a/**/a/**/a/**/b", (length: number) => Array.from({ length }, () => "a"), "b"],
    ["a*a*a*a*b", (length: number) => ["a".repeat(length)], "aaaaab"],
    ["*?*?*?*b", (length: number) => ["a".repeat(length)], "aaaab"],
    ["b", (length: number) => Array.from({ length }, () => "a"), "b"],
    ["**/b", (length: number) => ["\u0300\u0316".repeat(length / 100)], "b"],
  ])("hostile.linear-paths: %s is compared with any path in linear time", (pattern, namesOf, match) => {
    for (const length of LENGTHS) {
      expect(denyList([pattern]).matches(namesOf(length))).toBe(false);
      expect(denyList([pattern]).matches([...namesOf(length), match, "below"])).toBe(true);
    }
  });

  test.each([
    ["linux", (length: number) => `/${"con. ".repeat(length)}`],
    ["win32", (length: number) => `C:\\con${" ".repeat(length)}x`],
    ["win32", (length: number) => `C:\\${". ".repeat(length)}x`],
    ["win32", (length: number) => `\\\\${"?".repeat(length)}\\`],
  ])("hostile.linear-paths: a path on %s is checked in linear time", (platform, pathOf) => {
    for (const length of LENGTHS) expect(nameProblem(pathOf(length), platform)).toBe("too_long");
  });

  test("ignores code points that a file system ignores", () => {
    expect(denyList([".git"]).matches(["a", ".g\u200cit", "config"])).toBe(true);
  });
});

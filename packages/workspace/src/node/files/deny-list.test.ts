import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, test } from "vitest";
import { denyList } from "./deny-list.js";
import { nameProblem } from "./name-problem.js";

describe("a pattern", () => {
  test.each([
    ["**/a/**/b", (length: number) => Array.from({ length }, () => "a"), "b"],
    ["**/a/**/a/**/a/**/a/**/b", (length: number) => Array.from({ length }, () => "a"), "b"],
    ["a*a*a*a*b", (length: number) => ["a".repeat(length)], "aaaaab"],
    ["*?*?*?*b", (length: number) => ["a".repeat(length)], "aaaab"],
    ["b", (length: number) => Array.from({ length }, () => "a"), "b"],
    ["**/b", (length: number) => Array.from({ length: length / 100 }, () => "\u0300\u0316".repeat(100)), "b"],
  ])("hostile.linear-paths: %s is compared with any path in linear time", async (pattern, namesOf, match) => {
    const compare = (length: number): void => {
      expect(denyList([pattern]).matches(namesOf(length))).toBe(false);
      expect(denyList([pattern]).matches([...namesOf(length), match, "below"])).toBe(true);
    };
    expect(await growthOf(compare)).toBeLessThan(LINEAR);
  });

  test.each([
    ["linux", (length: number) => `/${"con. ".repeat(length)}`],
    ["win32", (length: number) => `C:\\con${" ".repeat(length)}x`],
    ["win32", (length: number) => `C:\\${". ".repeat(length)}x`],
    ["win32", (length: number) => `\\\\${"?".repeat(length)}\\`],
  ])("hostile.linear-paths: a path on %s is checked in linear time", async (platform, pathOf) => {
    const check = (length: number) => expect(nameProblem(pathOf(length), platform)).toBe("too_long");
    expect(await growthOf(check)).toBeLessThan(LINEAR);
  });

  test("ignores code points that a file system ignores", () => {
    expect(denyList([".git"]).matches(["a", ".g\u200cit", "config"])).toBe(true);
  });
});

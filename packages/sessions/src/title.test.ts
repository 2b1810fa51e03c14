import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isStorable } from "./storable-text.js";
import { titleFrom } from "./title.js";

describe("the title of a prompt", () => {
  test("is its first line", () => {
    expect(titleFrom("\n  Fix the typo \nin a.ts")).toBe("Fix the typo");
    expect(titleFrom("Fix the typo")).toBe("Fix the typo");
    expect(titleFrom(" \n ")).toBe("");
  });

  test("is cut after 80 characters, never inside a character", () => {
    expect(titleFrom("x".repeat(80))).toBe("x".repeat(80));
    expect(titleFrom("x".repeat(81))).toBe(`${"x".repeat(79)}…`);
    expect(titleFrom(`x${"😀".repeat(100)}`)).toBe(`x${"😀".repeat(78)}…`);
  });

  test("is short and storable, for any prompt", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 500, size: "max" }),
        fc.constantFrom("", "\ud800", "\0"),
        (text, bad) => {
          const title = titleFrom(`${text.slice(0, 40)}${bad}${text}`);
          expect([...title].length).toBeLessThanOrEqual(80);
          expect(isStorable(title)).toBe(true);
        },
      ),
    );
  });

  test.each([" ", "\n", "x", "x\n"])("of a prompt that repeats %j is found in linear time", async (unit) => {
    expect(await growthOf((size) => titleFrom(unit.repeat(size)))).toBeLessThan(LINEAR);
  });
});

import { describe, expect, test } from "vitest";
import { mistakes } from "./mistakes.js";
import { simulate } from "./simulate.js";
import { withMistake } from "./subjects.js";

/** A mistake that shows in none of so many seeds is one that the simulation does not notice. */
const MAX_SEEDS = 2_000;

describe("the simulation notices that", () => {
  test.each(mistakes)("$name", { timeout: 300_000 }, async (mistake) => {
    const subject = await withMistake(mistake);
    const seen: string[] = [];
    for (let seed = 1; seed <= MAX_SEEDS; seed++) {
      const { problems } = await simulate(seed, subject);
      seen.push(...problems);
      if (problems.some((problem) => mistake.breaks.test(problem))) return;
    }
    expect(seen).toContainEqual(expect.stringMatching(mistake.breaks));
  });
});

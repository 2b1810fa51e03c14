import { describe, expect, test } from "vitest";
import { mistakes } from "./mistakes.js";
import { FAILOVER_EVERY } from "./sim-engines.js";
import { simulate } from "./simulate.js";
import { withMistake } from "./subjects.js";

/** The number of seeds within which the simulation must detect a mistake. */
const MAX_SEEDS = 2_000;
/**
 * If a search takes more seeds, the test prints the seed that shows the mistake, so that it can become the first one.
 */
const MAX_QUICK_SEEDS = 10;

describe("the simulation detects that", () => {
  test.each(mistakes)("$name", { timeout: 300_000 }, async (mistake) => {
    const subject = await withMistake(mistake);
    const seen: string[] = [];
    // Mistakes with an engine have no effect without a failover
    const step = mistake.step ?? (mistake.engine === undefined ? 1 : FAILOVER_EVERY);
    const first = mistake.firstSeed ?? step;
    for (let seed = first; seed < first + MAX_SEEDS * step; seed += step) {
      const { problems } = await simulate(seed, subject, mistake.engine, mistake.isMixed);
      seen.push(...problems);
      if (!problems.some((problem) => mistake.breaks.test(problem))) continue;
      if ((seed - first) / step > MAX_QUICK_SEEDS) console.log(`${mistake.name}: write firstSeed: ${seed}`);
      return;
    }
    expect(seen).toContainEqual(expect.stringMatching(mistake.breaks));
  });
});

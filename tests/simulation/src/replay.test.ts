import { createGatewayWith, memoryEngine } from "@acp-kit/gateway/internal";
import { v2 } from "@acp-kit/v2/gateway";
import { describe, expect, test } from "vitest";
import { mistakes } from "./mistakes.js";
import { simulate } from "./simulate.js";
import { withMistake } from "./subjects.js";

describe("a seed", () => {
  test("gateway.simulation-replays: gives the same messages at the same times in each run", async () => {
    const traces: string[] = [];
    for (let seed = 1; seed <= 20; seed++) {
      const [first, second] = [
        await simulate(seed, { createGatewayWith, memoryEngine, v2 }),
        await simulate(seed, { createGatewayWith, memoryEngine, v2 }),
      ];
      expect(second, `seed ${seed}`).toEqual(first);
      traces.push(first.trace);
    }
    expect(new Set(traces).size).toBe(20);
  });

  test("gateway.simulation-replays: that failed fails again in the same way", { timeout: 120_000 }, async () => {
    const [mistake] = mistakes;
    if (mistake === undefined) throw new Error("there is no mistake");
    const subject = await withMistake(mistake);
    for (let seed = 1; ; seed++) {
      const first = await simulate(seed, subject);
      if (first.problems.length === 0) continue;
      expect(await simulate(seed, subject)).toEqual(first);
      return;
    }
  });
});

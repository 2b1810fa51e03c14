import { createGateway, memoryEngine } from "@acp-kit/gateway";
import { describe, expect, test } from "vitest";
import { simulate } from "./simulate.js";

/** Seeds of a plain run; `pnpm --filter @acp-kit/simulation-tests seeds 1 2000` runs more. */
const SEEDS = Number(process.env.ACP_KIT_SEEDS ?? 100);

describe("a cluster of gateways", () => {
  test("gateway.simulation: loses, doubles and reorders nothing, whatever fails", { timeout: 600_000 }, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { problems } = await simulate(seed, { createGateway, memoryEngine });
      expect(problems, `seed ${seed}`).toEqual([]);
    }
  });
});

import { createGatewayWith, memoryEngine } from "@acp-kit/gateway/internal";
import { expect } from "vitest";
import type { EngineKind } from "./sim-engines.js";
import { simulate } from "./simulate.js";

/**
 * The number of seeds in a normal test run, for each engine. `pnpm --filter @acp-kit/simulation-tests seeds 1 200000`
 * runs more seeds.
 */
const SEEDS = Number(process.env.ACP_KIT_SEEDS ?? 600);

/** Simulates every second seed. The two halves are separate files, so that two processes can run them. */
export async function expectNoProblems(first: 1 | 2, kind: EngineKind = "memory"): Promise<void> {
  for (let seed = first; seed <= SEEDS; seed += 2) {
    const { problems, trace } = await simulate(seed, { createGatewayWith, memoryEngine }, kind);
    expect(problems, `seed ${seed} (trace ${trace}) replays with: seeds ${seed} ${seed} ${kind}`).toEqual([]);
  }
}

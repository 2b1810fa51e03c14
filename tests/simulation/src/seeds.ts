import { createGatewayWith, memoryEngine } from "@acp-kit/gateway/internal";
import { v2 } from "@acp-kit/v2/gateway";
import { expect } from "vitest";
import type { EngineKind } from "./sim-engines.js";
import { simulate } from "./simulate.js";

/**
 * The number of seeds in a normal test run. Most faults of the gateway are simulated with the engine in memory, so it
 * has more seeds. `pnpm --filter @acp-kit/simulation-tests seeds 1 200000` runs more.
 */
const SEEDS: Readonly<Record<EngineKind, number>> = { memory: 600, postgres: 300, redis: 300 };

/** Whether agents and clients speak version 1 or 2 in a normal test run: in a quarter of the seeds in memory. */
function isMixed(seed: number, kind: EngineKind): boolean {
  return kind === "memory" && [0, 3].includes(seed % 8);
}

/**
 * Simulates the seeds from `first`, each `step`-th. With the engine in memory, the odd and the even seeds are separate
 * files, so that two processes can run them.
 */
export async function expectNoProblems(kind: EngineKind, { first = 1, step = 1 } = {}): Promise<void> {
  const last = Number(process.env.ACP_KIT_SEEDS ?? SEEDS[kind]);
  for (let seed = first; seed <= last; seed += step) {
    const { problems, trace } = await simulate(
      seed,
      { createGatewayWith, memoryEngine, v2 },
      kind,
      isMixed(seed, kind),
    );
    const mixed = isMixed(seed, kind) ? " mixed" : "";
    expect(problems, `seed ${seed} (trace ${trace}) replays with: seeds ${seed} ${seed} ${kind}${mixed}`).toEqual([]);
  }
}

import { createGateway, memoryEngine } from "@acp-kit/gateway";
import { expect } from "vitest";
import type { EngineKind } from "./sim-engines.js";
import { simulate } from "./simulate.js";

/** Seeds of a plain run; `pnpm --filter @acp-kit/simulation-tests seeds 1 200000` runs more. */
const SEEDS = Number(process.env.ACP_KIT_SEEDS ?? 2_000);

/** The same on the models of other engines, whose seeds take longer. */
const SEEDS_OF_ENGINES = Number(process.env.ACP_KIT_SEEDS ?? 600);

/** Simulates every second seed: the two halves are files of their own, for two processes. */
export async function expectNoProblems(first: 1 | 2, kind: EngineKind = "memory"): Promise<void> {
  const last = kind === "memory" ? SEEDS : SEEDS_OF_ENGINES;
  for (let seed = first; seed <= last; seed += 2) {
    const { problems, trace } = await simulate(seed, { createGateway, memoryEngine }, kind);
    expect(problems, `seed ${seed} (trace ${trace}) replays with: seeds ${seed} ${seed} ${kind}`).toEqual([]);
  }
}

import type { EngineKind } from "./sim-engines.js";
import { simulate } from "./simulate.js";
import { ofSources } from "./subjects.js";

// Runs simulations. A seed determines a simulation completely: its trace is the same in each run.
// `pnpm --filter @acp-kit/simulation-tests seeds 1 2000 redis` runs the seeds 1 to 2000 with the engine redis. With one
// number, only that seed runs. With a fourth argument, the agents and clients speak version 1 or 2 of the protocol.
const [, , from = "1", to = from, kind = "memory", mixed] = process.argv;
const [first, last] = [Number(from), Number(to)];
const subject = await ofSources();
const totals = {
  prompts: 0,
  updates: 0,
  kills: 0,
  deletions: 0,
  reopenings: 0,
  fullStorages: 0,
  interruptions: 0,
  changes: 0,
  failed: 0,
};
/** The number of losses in failovers, for each outcome. */
const losses: { [outcome: string]: number } = {};
const began = performance.now();
for (let seed = first; seed <= last; seed++) {
  const { problems, trace, ...report } = await simulate(seed, subject, kind as EngineKind, mixed !== undefined);
  const { prompts, updates, kills, deletions, reopenings, fullStorages, interruptions, changes } = report;
  totals.prompts += prompts;
  totals.updates += updates;
  totals.kills += kills;
  totals.deletions += deletions;
  totals.reopenings += reopenings;
  totals.fullStorages += fullStorages;
  totals.interruptions += interruptions;
  totals.changes += changes;
  for (const outcome of report.losses) losses[outcome] = (losses[outcome] ?? 0) + 1;
  if (problems.length === 0) continue;
  totals.failed += 1;
  console.log(`seed ${seed} (trace ${trace}):\n  ${problems.join("\n  ")}`);
}
const seconds = (performance.now() - began) / 1_000;
console.log(`${last - first + 1} seeds in ${seconds.toFixed(1)} s: ${JSON.stringify({ ...totals, losses })}`);
process.exitCode = totals.failed === 0 ? 0 : 1;

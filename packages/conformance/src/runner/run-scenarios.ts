import type { Scenario, ScenarioContext } from "../scenario.js";
import { confirmed, confirmedOutcome } from "./confirmed.js";
import { runOne } from "./run-one.js";
import type { RunScenariosOptions, ScenarioOutcome } from "./run-options.js";
import { playedDialogues, watchAll } from "./watch-all.js";

/** The number of scenarios that run a second time to confirm the finding of a watch. */
const CONFIRMING_SCENARIOS = 2;

/**
 * Runs every scenario, each with its own processes, and then checks the dialogues with every watch. A failed scenario
 * runs a second time, and so does a scenario in which a watch has findings: only failures that both runs show count.
 *
 * @throws {TypeError} when `jobs` is `NaN` or negative.
 */
export async function runScenarios<Context extends ScenarioContext>(
  options: RunScenariosOptions<Context>,
): Promise<ScenarioOutcome<Context>[]> {
  const { scenarios, watches, confirm = true, signal, onOutcome } = options;
  const outcomes = new Map<string, ScenarioOutcome<Context>>();
  const secondRuns = new Map<string, ScenarioOutcome<Context>>();
  const runAgain = async (scenario: Scenario<Context>, job: number): Promise<ScenarioOutcome<Context>> => {
    const again = secondRuns.get(scenario.id) ?? (await runOne(scenario, options, { job, number: 2 }));
    secondRuns.set(scenario.id, again);
    return again;
  };

  const firstRuns = new Map<string, ScenarioOutcome<Context>>();
  await inJobs(scenarios, options.jobs, async (scenario, job) => {
    const first = await runOne(scenario, options, { job, number: 1 });
    firstRuns.set(scenario.id, first);
    const isOpen = confirm && first.verdict.status === "failed" && !signal?.aborted;
    const outcome = isOpen ? confirmedOutcome(first, await runAgain(scenario, job)) : first;
    outcomes.set(scenario.id, outcome);
    onOutcome?.(outcome);
  });

  const played = playedDialogues([...firstRuns.values()]);
  const watched = watches.map((watch) => watchAll<Context>(watch, played));
  if (confirm && !signal?.aborted) {
    const wanted = new Set(watched.flatMap(({ scenarios }) => scenarios.slice(0, CONFIRMING_SCENARIOS)));
    const open = scenarios.filter(({ id }) => wanted.has(id) && !secondRuns.has(id));
    await inJobs(open, options.jobs, async (scenario, job) => void (await runAgain(scenario, job)));
  }
  const playedAgain = playedDialogues([...secondRuns.values()]);
  const ofWatches = watched.map(({ outcome, scenarios: where }): ScenarioOutcome<Context> => {
    const { check, verdict } = outcome;
    if (!confirm || signal?.aborted || verdict.status !== "failed" || check.kind !== "watch") return outcome;
    const again = watchAll<Context>(
      check,
      playedAgain.filter(({ scenario }) => where.includes(scenario)),
    );
    return { ...outcome, verdict: confirmed(verdict.findings, again.outcome.verdict) };
  });
  for (const outcome of ofWatches) onOutcome?.(outcome);
  return [...scenarios.flatMap(({ id }) => outcomes.get(id) ?? []), ...ofWatches];
}

/** Processes a list in order, with a fixed number of workers. */
async function inJobs<Item>(
  items: readonly Item[],
  jobs = 1,
  work: (item: Item, job: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (job: number): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item, job);
  };
  if (!(jobs >= 0)) throw new TypeError(`options.jobs must be a number of 1 or more, not ${jobs}`);
  const workers = Math.max(1, Math.min(jobs, items.length));
  await Promise.all(Array.from({ length: workers }, (_, job) => worker(job)));
}

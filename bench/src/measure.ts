import { spawnSync } from "node:child_process";

/** One thing to measure: does its work `count` times, in as many promises as it likes. */
export interface Scenario {
  readonly name: string;
  /** How many times the work is done in one round. */
  readonly count: number;
  /** Runs one round, and nothing else: what it prepares before it returns the round is not measured. */
  prepare(): () => Promise<void>;
}

/** What one scenario cost in processor time, which other processes disturb least: the median of its rounds. */
export interface Figure {
  readonly name: string;
  readonly nanosecondsEach: number;
  readonly perSecond: number;
  /** Slowest round divided by fastest: above 1.5 the machine was busy with something else. */
  readonly spread: number;
}

/** Measures scenarios one after another: rounds to warm up, then `rounds` that count. */
export async function measure(scenarios: readonly Scenario[], rounds = 7): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, count, prepare } of scenarios) {
    const times: number[] = [];
    for (let round = -5; round < rounds; round += 1) {
      const run = prepare();
      const started = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(started);
      if (round >= 0) times.push((user + system) / 1_000);
    }
    times.sort((a, b) => a - b);
    const median = times[times.length >> 1] ?? Number.NaN;
    const nanosecondsEach = (median * 1e6) / count;
    const spread = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN);
    figures.push({ name, nanosecondsEach, perSecond: 1e9 / nanosecondsEach, spread });
  }
  return figures;
}

/** Prints figures as a table. */
export function print(figures: readonly Figure[]): void {
  const width = Math.max(60, ...figures.map(({ name }) => name.length));
  for (const { name, nanosecondsEach, perSecond, spread } of figures) {
    const cost = `${nanosecondsEach.toFixed(0)} ns`.padStart(10);
    const rate = `${Math.round(perSecond).toLocaleString("en-US")} /s`.padStart(14);
    console.log(`${name.padEnd(width)} ${cost} ${rate}   ×${spread.toFixed(2)}`);
  }
}

/**
 * Measures the scenarios whose name contains the first word of the command line, and prints them. Each plays in a process of its own: what the
 * compiler learned from one must not cost or help another.
 */
export async function measureApart(scenarios: readonly Scenario[]): Promise<void> {
  const [script = "", wanted = "", alone] = process.argv.slice(1);
  if (alone !== undefined) {
    print(await measure(scenarios.filter(({ name }) => name === wanted)));
    return;
  }
  for (const { name } of scenarios.filter((scenario) => scenario.name.includes(wanted))) {
    spawnSync(process.execPath, [...process.execArgv, script, name, "alone"], { stdio: "inherit" });
  }
}

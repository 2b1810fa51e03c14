import { spawnSync } from "node:child_process";

/** A scenario to measure. Each round does its work `count` times. */
export interface Scenario {
  readonly name: string;
  /** The number of times that a round does the work. */
  readonly count: number;
  /** Prepares a round and returns a function that runs it. Only that function is measured. */
  prepare(): () => Promise<void>;
}

/** The processor time of a scenario: the median of its rounds. Other processes affect processor time least. */
export interface Figure {
  readonly name: string;
  readonly nanosecondsEach: number;
  readonly perSecond: number;
  /** The time of the slowest round divided by that of the fastest. Above 1.5, the machine was busy with other work. */
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
 * Measures the scenarios whose name contains the first argument of the command line, and prints the figures. Each
 * scenario runs in a separate process, so that the compiler's optimisations for one scenario do not affect another.
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

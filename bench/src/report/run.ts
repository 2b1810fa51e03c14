import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The implementation under test: ours, the official SDK, or a minimal one. */
export type Side = "ours" | "sdk" | "bare";

/** A further run beside those of the sides: ours without a transcript, or in another version of the protocol. */
export type Beside = "lean" | "v1";

/** The figures of a child process, by name. */
export type Sample = Readonly<Record<string, number>>;

/** The samples of each side, one for each round. */
export type Samples = Readonly<Partial<Record<Side | Beside, readonly Sample[]>>>;

/** A process to start: a script of `src/`, with its arguments. */
export interface Run {
  readonly script: string;
  readonly args: readonly string[];
  readonly nodeOptions?: readonly string[];
}

/** Starts a script in a new process and reads the figures that the script prints. */
export function sample({ script, args, nodeOptions = [] }: Run): Promise<Sample> {
  const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...nodeOptions, path, ...args], { maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Sample);
      else reject(new Error(`${script} ${args.join(" ")} failed: ${stderr.slice(-2_000)}`, { cause: error }));
    });
  });
}

/** Runs all sides in turn, `rounds` times, so that a slow minute of the machine affects all of them. */
export async function interleave(
  runs: Readonly<Partial<Record<Side | Beside, Run>>>,
  rounds: number,
): Promise<Samples> {
  const samples: Partial<Record<Side | Beside, Sample[]>> = {};
  for (let round = 0; round < rounds; round++) {
    const sides = Object.entries(runs) as [Side | Beside, Run][];
    // Every other round is in reverse order, because the first process of a round runs on a cooler machine.
    for (const [side, run] of round % 2 === 0 ? sides : sides.toReversed()) {
      samples[side] ??= [];
      samples[side].push(await sample(run));
    }
  }
  return samples;
}

/** The median of a side's figures. */
export function median(samples: Samples, side: Side | Beside, figure: (sample: Sample) => number): number {
  const values = (samples[side] ?? []).map(figure).sort((a, b) => a - b);
  const middle = values.length >> 1;
  if (values.length % 2 === 1) return values[middle] ?? Number.NaN;
  return ((values[middle - 1] ?? Number.NaN) + (values[middle] ?? Number.NaN)) / 2;
}

import { readFileSync } from "node:fs";
import { percentile } from "./replica-load.js";

/** Prints a line immediately, because a full run takes hours. A run without ACP_KIT_FIRE prints nothing. */
export function print(line: string): void {
  if (process.env.ACP_KIT_FIRE !== undefined)
    process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

/** The p50 and the p99 of times. */
export const quantiles = (times: readonly number[]): string =>
  times.length === 0 ? "none" : `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms (${times.length})`;

/** The resident memory of a process, in MiB. 0 if the process has ended. */
export function residentMiB(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const [, kB] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kB ?? 0) / 1_024);
  } catch {
    return 0;
  }
}

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Returns the running processes of one or more groups, as a tool of the system lists them, not this package. Zombies
 * hold no resources and don't count.
 */
export function livingIn(...groups: readonly number[]): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,pgid=,stat="], { encoding: "utf8" });
  return table.split("\n").flatMap((line) => {
    const [pid, group, state = "Z"] = line.trim().split(/\s+/);
    return groups.includes(Number(group)) && !state.startsWith("Z") ? [Number(pid)] : [];
  });
}

/**
 * The program that a running process executes. Between its start and its `exec`, that is still the program of its
 * parent.
 */
export function programOf(pid: number): string {
  return execFileSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }).trim();
}

export function isRunning(pid: number): boolean {
  const table = execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" });
  return table.split("\n").some((line) => {
    const [each, state = "Z"] = line.trim().split(/\s+/);
    return Number(each) === pid && !state.startsWith("Z");
  });
}

/** The running processes that have `word` among their arguments. */
export function runningWith(word: string): number[] {
  const table = execFileSync("ps", ["-A", "-ww", "-o", "pid=,stat=,args="], { encoding: "utf8" });
  return table.split("\n").flatMap((line) => {
    const [pid, state = "Z", ...args] = line.trim().split(/\s+/);
    return args.includes(word) && !state.startsWith("Z") ? [Number(pid)] : [];
  });
}

/** Open file descriptors of this process. */
export function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

/** Polls until the condition holds; the test's own timeout is the bound. */
export async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5);
}

import { readFileSync, readlinkSync } from "node:fs";

/**
 * This process, by a name that no other has: the boot of the machine, the PID namespace, the pid and when the process started. The name of the
 * host is no part of it: it changes while processes run, and containers share it. What a system doesn't say is empty; macOS and Windows
 * say the pid alone.
 */
export function processName(): string {
  return [bootId(), pidNamespace(), process.pid, startOf(process.pid) ?? ""].join("/");
}

/** When a process of this PID namespace started, in ticks since the machine did; only Linux says it. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name stands before, in brackets, and may hold anything.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "");
  } catch {
    return "";
  }
}

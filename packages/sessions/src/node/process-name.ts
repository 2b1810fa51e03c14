import { readFileSync, readlinkSync } from "node:fs";

/**
 * Returns a name for this process that no other process has: the id of the machine's last boot, the PID namespace, the
 * pid and the start time of the process. The host's name is not part of it, because a host can be renamed while
 * processes run, and several containers can have the same host name. Parts that a system doesn't provide are empty;
 * macOS and Windows provide only the pid.
 */
export function processName(): string {
  return [bootId(), pidNamespace(), process.pid, startOf(process.pid) ?? ""].join("/");
}

/** Returns when a process of this PID namespace started, in ticks since boot. Only Linux provides it. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program is in parentheses and may contain any character, so fields are counted after the last
    // parenthesis.
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

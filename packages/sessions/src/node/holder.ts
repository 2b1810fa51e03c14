import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/**
 * This process, as it signs what it holds: host, process id and when the process started, so that another process with the same id
 * isn't taken for it. The start is known on Linux only; elsewhere the id has to do.
 */
export function thisHolder(): string {
  return [hostname(), process.pid, startOf(process.pid) ?? ""].join("/");
}

/** Whether a holder may still write. On another host nobody can tell, so it counts as alive. */
export function isAlive(holder: string): boolean {
  const [host, pidText, start = ""] = holder.split("/");
  if (host !== hostname()) return true;
  const pid = Number(pidText);
  if (!isRunning(pid)) return false;
  return start === "" || startOf(pid) === start;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // somebody else's
  }
}

/** When a process started, in ticks since the machine did. The program's name stands before, in brackets, and may hold anything. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

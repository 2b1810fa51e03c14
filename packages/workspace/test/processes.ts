import { execFileSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

/** Returns whether a process runs, from the output of `ps`. Zombies hold no resources and don't count. */
export function isRunning(pid: number): boolean {
  const table = execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" });
  return table.split("\n").some((line) => {
    const [each, state = "Z"] = line.trim().split(/\s+/);
    return Number(each) === pid && !state.startsWith("Z");
  });
}

/** Polls until the condition holds, at most until the test's timeout. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(5);
}

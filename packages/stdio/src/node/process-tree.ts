import { builtin } from "./builtins.js";
import { groupMembers } from "./process-table.js";

/**
 * A child and all its descendants that stayed in its process group, which is named by the child's pid.
 *
 * The number is safe to signal as long as any member lives, since the system doesn't give it to a new process until the group
 * is empty. That is why this looks first, each time, and never signals again once it has seen the group empty.
 */
export class ProcessTree {
  readonly pid: number;
  #gone = false;

  constructor(pid: number) {
    this.pid = pid;
  }

  /** Whether any process of it still runs. Zombies don't: they wait for a parent that may never look, and hold nothing. */
  get alive(): boolean {
    this.#signal(0);
    if (!this.#gone && groupMembers(this.pid)?.every(({ zombie }) => zombie)) this.#gone = true;
    return !this.#gone;
  }

  /** Asks every process of it to end, or ends it. Never throws. Windows can't ask: there both signals end it. */
  kill(signal: "SIGTERM" | "SIGKILL"): void {
    if (process.platform !== "win32") this.#signal(signal);
    else if (!this.#gone)
      builtin("child_process").execFile("taskkill", taskkillArguments(this.pid), { windowsHide: true }, () => {});
  }

  /** Ends all of it at once, for handlers that can't wait. */
  killSync(): void {
    if (process.platform !== "win32") {
      this.kill("SIGKILL");
      return;
    }
    try {
      builtin("child_process").execFileSync("taskkill", taskkillArguments(this.pid), {
        windowsHide: true,
        stdio: "ignore",
      });
    } catch {
      // It ended in this moment.
    }
  }

  /**
   * Resolves with whether nothing of it runs any more, after `timeoutMs` at the latest. A process that is not our child tells nobody
   * when it ends, so this looks again and again, less and less often.
   */
  async ended(timeoutMs: number): Promise<boolean> {
    const { setTimeout: delay } = builtin("timers/promises");
    const deadline = performance.now() + timeoutMs;
    for (let pause = 2; this.alive; pause = Math.min(pause * 2, 50)) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await delay(Math.min(pause, left));
    }
    return true;
  }

  #signal(signal: "SIGTERM" | "SIGKILL" | 0): void {
    if (this.#gone) return;
    try {
      process.kill(process.platform === "win32" ? this.pid : -this.pid, signal);
    } catch {
      this.#gone = true; // ESRCH: empty. EPERM: only zombies are left (macOS), or processes that aren't ours to end.
    }
  }
}

/** Windows has no groups: `/T` follows the parents. */
export function taskkillArguments(pid: number): string[] {
  return ["/PID", String(pid), "/T", "/F"];
}

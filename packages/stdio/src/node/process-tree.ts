import { builtin } from "./builtins.js";
import { groupMembers, type ProcessRow } from "./process-table.js";

/**
 * Whether the number of a process group still identifies the same group. The system reuses it once the group is empty and its
 * leader has been collected by its parent, so it is checked before each signal.
 */
type GroupState =
  /** The leader is our child and has not been collected: the number is ours. */
  | { readonly name: "led" }
  /** The leader is not our child or has been collected: the number is ours as long as one of these processes is still in the group. */
  | { readonly name: "orphaned"; readonly members: readonly ProcessRow[] }
  /** The group is empty, or the number identifies another one. It is never signalled again. */
  | { readonly name: "gone" };

/** A process and all its descendants that stayed in its process group, whose number is the process's pid. */
export class ProcessTree {
  readonly pid: number;
  #state: GroupState;

  /**
   * @param pid The leader: a child of this process that has not been collected.
   * @param members For a group whose leader is not our child: its processes, which the caller has identified.
   */
  constructor(pid: number, members?: readonly ProcessRow[]) {
    this.pid = pid;
    this.#state = members === undefined ? { name: "led" } : { name: "orphaned", members };
  }

  /** Whether any process of it still runs. Zombies don't count: their parent may never collect them, and they hold no resources. */
  get alive(): boolean {
    this.#state = this.#look(this.#state);
    return this.#state.name !== "gone";
  }

  /** Called in the `exit` event, when the leader has just been collected and its number can't have been reused yet. */
  leaderEnded(): void {
    if (this.#state.name !== "led") return;
    const members = living(groupMembers(this.pid) ?? []);
    this.#state = members.length === 0 ? { name: "gone" } : { name: "orphaned", members };
  }

  /** Sends every process of it `SIGTERM` or `SIGKILL`. Never throws. On Windows both end it. */
  kill(signal: "SIGTERM" | "SIGKILL"): void {
    if (process.platform !== "win32") this.#signal(signal);
    else if (this.#state.name === "led")
      builtin("child_process").execFile("taskkill", taskkillArguments(this.pid), { windowsHide: true }, () => {});
  }

  /** Ends all of it at once, for handlers that can't wait. */
  killSync(): void {
    if (process.platform !== "win32") {
      this.kill("SIGKILL");
      return;
    }
    if (this.#state.name !== "led") return;
    try {
      builtin("child_process").execFileSync("taskkill", taskkillArguments(this.pid), {
        windowsHide: true,
        stdio: "ignore",
      });
    } catch {
      // It has just ended.
    }
  }

  /** Ends it: `SIGTERM`, then `SIGKILL` after `termGraceMs`. Resolves when no process of it runs, or when `SIGKILL` had no effect for the same time. */
  async end(termGraceMs: number): Promise<void> {
    this.kill("SIGTERM");
    if (await this.ended(termGraceMs)) return;
    this.kill("SIGKILL");
    await this.ended(KILL_TIMEOUT_MS);
  }

  /**
   * Resolves with whether all of it has ended, after `timeoutMs` at the latest. The end of a process that is not our child
   * raises no event, so this polls, less and less often.
   */
  ended(timeoutMs: number): Promise<boolean> {
    return until(() => !this.alive, timeoutMs);
  }

  #look(state: GroupState): GroupState {
    if (state.name === "gone") return state;
    const rows = groupMembers(this.pid);
    if (rows === undefined) return state.name === "led" && this.#groupExists() ? state : { name: "gone" };
    const members = living(rows);
    if (members.length === 0) return { name: "gone" };
    if (state.name === "led") return state;
    const isSameGroup = members.some((row) => state.members.some((known) => isSameProcess(known, row)));
    return isSameGroup ? { name: "orphaned", members } : { name: "gone" };
  }

  #groupExists(): boolean {
    try {
      return process.kill(process.platform === "win32" ? this.pid : -this.pid, 0);
    } catch {
      return false;
    }
  }

  #signal(signal: "SIGTERM" | "SIGKILL"): void {
    if (this.#state.name === "orphaned") this.#state = this.#look(this.#state);
    if (this.#state.name === "gone") return;
    try {
      process.kill(-this.pid, signal);
    } catch {
      this.#state = { name: "gone" }; // ESRCH: empty. EPERM: only zombies are left (macOS), or processes that aren't ours to end.
    }
  }
}

/** How long the system may take to apply `SIGKILL`: usually no time at all; a process stuck in the kernel never ends. */
export const KILL_TIMEOUT_MS = 2_000;

/** Resolves with whether `condition` became true within the time. */
export async function until(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const { setTimeout: delay } = builtin("timers/promises");
  const deadline = performance.now() + timeoutMs;
  for (let pause = 2; !condition(); pause = Math.min(pause * 2, 50)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pause, left));
  }
  return true;
}

/** Whether two rows are about one process: pids are reused. */
export function isSameProcess(
  a: Pick<ProcessRow, "pid" | "startTime">,
  b: Pick<ProcessRow, "pid" | "startTime">,
): boolean {
  return a.pid === b.pid && a.startTime === b.startTime;
}

function living(rows: readonly ProcessRow[]): ProcessRow[] {
  return rows.filter(({ zombie }) => !zombie);
}

/** Windows has no groups: `/T` follows the parents. */
export function taskkillArguments(pid: number): string[] {
  return ["/PID", String(pid), "/T", "/F"];
}

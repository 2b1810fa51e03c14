import { builtin } from "./builtins.js";
import { groupMembers, type ProcessRow } from "./process-table.js";

/**
 * Whether the number of a process group still identifies the same group. The class checks this before each signal. The
 * system reuses the number once the group is empty and the parent has collected its leader.
 */
type GroupState =
  /** The leader is a child of this process and has not been collected, so the number identifies this group. */
  | { readonly name: "led" }
  /**
   * The leader of the group is not a child of this process, or it has ended and its exit status was read. The number
   * identifies this group as long as one of these processes is in it.
   */
  | { readonly name: "orphaned"; readonly members: readonly ProcessRow[] }
  /** The group is empty, or the number identifies another group. No signal is sent to it again. */
  | { readonly name: "gone" };

/** The process that leads a group, whose number is its pid, and its descendants in the group. */
export class ProcessTree {
  readonly pid: number;
  #state: GroupState;

  /**
   * @param pid The leader: a child of this process that has not been collected.
   * @param members The processes of the group. Pass them only if the leader is not a child of this process; the caller
   * must have verified that they belong to the group.
   */
  constructor(pid: number, members?: readonly ProcessRow[]) {
    this.pid = pid;
    this.#state = members === undefined ? { name: "led" } : { name: "orphaned", members };
  }

  /**
   * Whether any process of the group still runs. Zombies (processes that have ended, but that their parent has not
   * collected) don't count: their parent may never collect them, and they hold no resources.
   */
  get alive(): boolean {
    this.#state = this.#look(this.#state);
    return this.#state.name !== "gone";
  }

  /** Called in the `exit` event of the leader, which has just been collected; its number can't have been reused yet. */
  leaderEnded(): void {
    if (this.#state.name !== "led") return;
    // First asks the system with one call whether the group is empty, which it almost always is. Only otherwise reads
    // the process table.
    const members = groupIsEmpty(this.pid) ? [] : living(groupMembers(this.pid) ?? []);
    this.#state = members.length === 0 ? { name: "gone" } : { name: "orphaned", members };
  }

  /** Sends a signal to the whole group. On Windows, both end the process and its descendants. Never throws. */
  kill(signal: "SIGTERM" | "SIGKILL"): void {
    if (process.platform !== "win32") this.#signal(signal);
    else if (this.#state.name === "led")
      builtin("child_process").execFile("taskkill", taskkillArguments(this.pid), { windowsHide: true }, () => {});
  }

  /** Ends all processes of the group immediately, for handlers that can't wait. */
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
      // The process has just ended.
    }
  }

  /**
   * Ends the group with `SIGTERM`, and with `SIGKILL` after `termGraceMs`. Resolves when no process of the group runs,
   * or when `SIGKILL` had no effect within {@link KILL_TIMEOUT_MS}.
   */
  async end(termGraceMs: number): Promise<void> {
    this.kill("SIGTERM");
    if (await this.ended(termGraceMs)) return;
    this.kill("SIGKILL");
    await this.ended(KILL_TIMEOUT_MS);
  }

  /**
   * Waits up to `timeoutMs` until all processes of the group have ended, and resolves with whether they have. It polls,
   * less and less often, because there is no event for the end of a process that is not a child of this one.
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
      // ESRCH: the group is empty. EPERM: only zombies are left (macOS), or processes of another user.
      this.#state = { name: "gone" };
    }
  }
}

/** Returns whether the system says that a group has no process, not even a zombie or one of another user. */
function groupIsEmpty(group: number): boolean {
  if (process.platform === "win32") return false; // Windows has no groups
  try {
    process.kill(-group, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** The milliseconds for `SIGKILL`. A process that is blocked in the kernel may never end. */
export const KILL_TIMEOUT_MS = 2_000;

/** Polls `condition`. Resolves with `true` as soon as the condition is true, and with `false` after `timeoutMs`. */
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

/** Returns whether two rows are about the same process. The pids are not enough, because the system reuses them. */
export function isSameProcess(
  a: Pick<ProcessRow, "pid" | "startTime">,
  b: Pick<ProcessRow, "pid" | "startTime">,
): boolean {
  return a.pid === b.pid && a.startTime === b.startTime;
}

function living(rows: readonly ProcessRow[]): ProcessRow[] {
  return rows.filter(({ zombie }) => !zombie);
}

/** Returns the arguments of `taskkill`. `/T` ends the descendants whose parents still run. */
export function taskkillArguments(pid: number): string[] {
  return ["/PID", String(pid), "/T", "/F"];
}

import { type MarkedProcess, markedProcesses } from "./process-marks.js";
import { processRow } from "./process-table.js";
import { isSameProcess, KILL_TIMEOUT_MS, until } from "./process-tree.js";

/**
 * A descendant of a child process that left the child's process group and still ran when that group had ended. Some
 * programs leave their process group on purpose, such as `gpg-agent`, a build server or a container.
 */
export interface DetachedProcess {
  readonly pid: number;
  /** The name of the program, without its arguments, which may contain secrets. */
  readonly command: string;
  /** Whether the library has ended the process. */
  readonly ended: boolean;
  /** `true` if the option `leavesBehind` contains the program, because the agent leaves it running on purpose. */
  readonly expected?: true;
}

/**
 * What happens, when an agent is closed, to processes that it started outside its process group. `report`: the library
 * only reports them. `end`: the library ends and reports them.
 */
export type DetachedProcessPolicy = "report" | "end";

/** The milliseconds that a detached process has to end after the child, without being reported. */
const SETTLE_MS = 200;

/** The number of attempts to end detached processes, because a process can start others while it is being ended. */
const KILL_ROUNDS = 5;

/**
 * Returns the processes that carry `mark` and are not in the process group `group`, which has ended. With the policy
 * `report`, processes that end by themselves within {@link SETTLE_MS} are left out. With the policy `end`, the function
 * ends the processes.
 *
 * The mark is an environment variable of the process. Linux shows the environment of other processes, and macOS does so
 * for programs that it doesn't protect. On other systems, the function finds no process.
 */
export async function settleDetached(
  mark: string,
  group: number | undefined,
  policy: DetachedProcessPolicy,
  termGraceMs: number,
): Promise<DetachedProcess[]> {
  const find = (): MarkedProcess[] => markedProcesses(mark).filter((row) => row.group !== group);
  let left = find();
  if (left.length === 0) return [];
  if (policy === "report") {
    await until(() => !left.some(isRunning), SETTLE_MS);
    return find().map(({ pid, command }) => ({ pid, command, ended: false }));
  }
  const found = new Map(left.map((row) => [row.pid, row]));
  signalAll(left, "SIGTERM");
  await until(() => !left.some(isRunning), termGraceMs);
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    left = find();
    if (left.length === 0) break;
    for (const row of left) found.set(row.pid, row);
    signalAll(left, "SIGKILL");
    await until(() => !left.some(isRunning), KILL_TIMEOUT_MS / KILL_ROUNDS);
  }
  return [...found.values()].map((row) => ({ pid: row.pid, command: row.command, ended: !isRunning(row) }));
}

/** Marks the processes whose program is in a list of names. */
export function markExpected(processes: readonly DetachedProcess[], names: readonly string[]): DetachedProcess[] {
  return processes.map((each) => (names.includes(nameOf(each.command)) ? { ...each, expected: true } : each));
}

/** Returns the name of a program without its path, and without `.exe`. */
function nameOf(command: string): string {
  return command.slice(Math.max(command.lastIndexOf("/"), command.lastIndexOf("\\")) + 1).replace(/\.exe$/i, "");
}

/** Ends the processes that carry `mark` immediately, for handlers that can't wait. */
export function killDetachedSync(mark: string): void {
  signalAll(markedProcesses(mark), "SIGKILL");
}

function signalAll(rows: readonly MarkedProcess[], signal: "SIGTERM" | "SIGKILL"): void {
  for (const { pid } of rows) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has just ended, or this process has no permission to end it.
    }
  }
}

function isRunning(row: MarkedProcess): boolean {
  const current = processRow(row.pid);
  return current !== undefined && !current.zombie && isSameProcess(current, row);
}

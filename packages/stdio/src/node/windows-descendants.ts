import type { DetachedProcess, DetachedProcessPolicy } from "./detached-processes.js";
import { endProcess, listProcesses, type RunProgram, runProgram, type WindowsProcess } from "./windows-processes.js";

/** A process of the tree, and the time during which its pid identified it. */
interface Member {
  readonly pid: number;
  /** The creation time, in milliseconds since 1970. */
  readonly startMs: number;
  /** When the process was first missing from the process table; `undefined` while it runs. */
  readonly endMs: number | undefined;
}

/** Options of {@link WindowsDescendants}. */
export interface WindowsDescendantsOptions {
  /** Replaces {@link runProgram}, for tests. */
  readonly run?: RunProgram;
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** The number of attempts to end processes, because a process can start others while it is being ended. */
const ROUNDS = 3;

/** The time in milliseconds by which the clock of Node and the creation times of Windows may differ. */
const CLOCK_MS = 1_000;

/**
 * Finds the descendants of a child on Windows that outlive it. Windows has neither process groups nor a readable
 * environment of other processes, and a job object needs native code. So the class finds descendants by their parents:
 * a process belongs to the tree if its parent belongs to the tree, and if the process was created while its parent
 * still had its pid. A look at the process table before the child ends records the pids of parents that end with the
 * child.
 *
 * A process is not found if its parent started and ended between two looks.
 */
export class WindowsDescendants {
  readonly #run: RunProgram;
  readonly #now: () => number;
  readonly #members = new Map<number, Member[]>();
  readonly #found = new Map<string, WindowsProcess>();
  #running: readonly WindowsProcess[] = [];
  #looking: Promise<readonly WindowsProcess[]> = Promise.resolve([]);

  /** Called right after the child has started. */
  constructor(pid: number, { run = runProgram, now = Date.now }: WindowsDescendantsOptions = {}) {
    this.#run = run;
    this.#now = now;
    this.#members.set(pid, [{ pid, startMs: now() - CLOCK_MS, endMs: undefined }]);
  }

  /** Called when the child has ended, because Windows can reuse its pid from then on. */
  ended(): void {
    const endMs = this.#now() + CLOCK_MS;
    for (const [pid, [root, ...others]] of [...this.#members].slice(0, 1)) {
      if (root !== undefined && root.endMs === undefined) this.#members.set(pid, [{ ...root, endMs }, ...others]);
    }
  }

  /**
   * Looks at the process table, and resolves with the descendants that run; if the table can't be read, with those of
   * the previous look. Looks run one after another. Never rejects.
   */
  look(): Promise<readonly WindowsProcess[]> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  /** Returns the descendants that still run after the child has ended. Ends them if the policy says so. */
  async settle(policy: DetachedProcessPolicy): Promise<DetachedProcess[]> {
    let running = await this.look();
    if (policy === "report") return running.map(({ pid, command }) => ({ pid, command, ended: false }));
    const left = new Map<string, WindowsProcess>();
    for (let round = 0; round < ROUNDS && running.length > 0; round += 1) {
      for (const row of running) left.set(keyOf(row), row);
      // The look has just confirmed that these pids belong to these processes.
      await Promise.all(running.map(({ pid }) => endProcess(pid, this.#run)));
      running = await this.look();
    }
    const alive = new Set(running.map(keyOf));
    for (const row of running) left.set(keyOf(row), row);
    return [...left].map(([key, { pid, command }]) => ({ pid, command, ended: !alive.has(key) }));
  }

  async #look(): Promise<readonly WindowsProcess[]> {
    const at = this.#now();
    const rows = await listProcesses(this.#run);
    if (rows === undefined) return this.#running;
    // A parent is created before its children, so one pass in this order finds whole chains.
    for (const row of [...rows].sort((a, b) => a.startMs - b.startMs))
      if (this.#isDescendant(row, rows)) this.#add(row);
    const running = rows.filter((row) => this.#found.has(keyOf(row)));
    this.#markEnded(new Set(running.map(keyOf)), at);
    this.#running = running;
    return running;
  }

  #isDescendant(row: WindowsProcess, rows: readonly WindowsProcess[]): boolean {
    if (this.#found.has(keyOf(row)) || row.pid === process.pid) return false;
    return (this.#members.get(row.parent) ?? []).some(
      (parent) =>
        parent.startMs <= row.startMs &&
        row.startMs <= (parent.endMs ?? Number.POSITIVE_INFINITY) &&
        row.startMs < heldSince(parent, rows),
    );
  }

  #add(row: WindowsProcess): void {
    const { pid, startMs } = row;
    this.#found.set(keyOf(row), row);
    this.#members.set(pid, [...(this.#members.get(pid) ?? []), { pid, startMs, endMs: undefined }]);
  }

  #markEnded(running: ReadonlySet<string>, at: number): void {
    for (const row of this.#found.values()) {
      if (running.has(keyOf(row))) continue;
      const members = this.#members.get(row.pid) ?? [];
      const marked = members.map((each) =>
        each.startMs === row.startMs && each.endMs === undefined ? { ...each, endMs: at + CLOCK_MS } : each,
      );
      this.#members.set(row.pid, marked);
    }
  }
}

/** Returns the time from which another process has the pid of a member; `Infinity` if none has. */
function heldSince({ pid, startMs, endMs }: Member, rows: readonly WindowsProcess[]): number {
  const holder = rows.find((row) => row.pid === pid);
  if (holder === undefined) return Number.POSITIVE_INFINITY;
  // The recorded start time of the child itself is an estimate, slightly earlier than the time in its row.
  const isMember = endMs === undefined && Math.abs(holder.startMs - startMs) <= 2 * CLOCK_MS;
  return isMember ? Number.POSITIVE_INFINITY : holder.startMs;
}

function keyOf({ pid, startTime }: WindowsProcess): string {
  return `${pid} ${startTime}`;
}

import { builtin } from "./builtins.js";
import { carriesMark, groupMembers, processRow } from "./process-table.js";
import { ProcessTree } from "./process-tree.js";
import { spawnAgentDefaults } from "./spawn-options.js";

/** An agent that was left behind, and has been ended. */
export interface ReapedAgent {
  readonly pid: number;
  readonly command: string;
}

/** Remembers which agents run, beyond the life of this process. Made by {@link createLedger}. */
export interface AgentLedger {
  /**
   * Ends the agents whose host is gone: what a crash, or a `SIGKILL`, of an earlier host left behind. Agents of hosts that live are left alone.
   */
  reap(): Promise<ReapedAgent[]>;
  /** @internal For one agent that is about to start. Throws when nothing can be written. */
  page(): LedgerPage;
}

/** @internal The place of one agent in a ledger. */
export interface LedgerPage {
  /** What goes into the agent's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Writes at once, since a crash doesn't wait; in one step, since others read. Throws when it can't. */
  record(pid: number, command: string): void;
  /** The agent and its group are gone. */
  strike(): void;
}

/**
 * A ledger for `spawnAgent`: a directory with one file for each running agent, which several hosts may share. Each start of an agent with
 * it ends what earlier hosts left, too; `reap()` does so without one. Nothing is written before the first start.
 */
export function createLedger(directory: string): AgentLedger {
  return { reap: () => reap(directory), page: () => new DirectoryPage(directory) };
}

/** A process, named for ever: a pid alone is used again. */
interface ProcessName {
  readonly pid: number;
  readonly startTime: string;
}

interface LedgerEntry extends ProcessName {
  readonly version: 1;
  readonly command: string;
  /** The value of {@link MARK} in the environment of the agent and of all it starts. */
  readonly mark: string;
  readonly host: ProcessName;
}

/** The variable that tells the descendants of a recorded agent from strangers that got its number. */
const MARK = "ACP_KIT_AGENT";

class DirectoryPage implements LedgerPage {
  readonly environment: Readonly<Record<string, string>>;
  readonly #directory: string;
  readonly #mark: string = crypto.randomUUID();
  #file: string | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.environment = { [MARK]: this.#mark };
    builtin("fs").mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  record(pid: number, command: string): void {
    const startTime = processRow(pid)?.startTime;
    const host = processRow(process.pid);
    if (startTime === undefined || host === undefined) return; // it has ended already
    const entry: LedgerEntry = {
      version: 1,
      pid,
      startTime,
      command,
      mark: this.#mark,
      host: { pid: host.pid, startTime: host.startTime },
    };
    const { renameSync, writeFileSync } = builtin("fs");
    const file = builtin("path").join(this.#directory, `${pid}-${this.#mark}.json`);
    writeFileSync(`${file}.new`, JSON.stringify(entry), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    this.#file = file;
  }

  strike(): void {
    if (this.#file !== undefined) remove(this.#file);
  }
}

async function reap(directory: string): Promise<ReapedAgent[]> {
  const reaped = entries(directory).map(async ([file, entry]) => {
    if (isSame(entry.host)) return [];
    const left =
      isSame(entry) || (groupMembers(entry.pid)?.some(({ pid }) => carriesMark(pid, markOf(entry))) ?? false);
    if (left) await end(new ProcessTree(entry.pid));
    remove(file);
    return left ? [{ pid: entry.pid, command: entry.command }] : [];
  });
  return (await Promise.all(reaped)).flat();
}

async function end(tree: ProcessTree): Promise<void> {
  tree.kill("SIGTERM");
  if (await tree.ended(spawnAgentDefaults.termGraceMs)) return;
  tree.kill("SIGKILL");
  await tree.ended(spawnAgentDefaults.termGraceMs);
}

function isSame({ pid, startTime }: ProcessName): boolean {
  const row = processRow(pid);
  return row !== undefined && !row.zombie && row.startTime === startTime;
}

function markOf({ mark }: LedgerEntry): string {
  return `${MARK}=${mark}`;
}

function entries(directory: string): [file: string, entry: LedgerEntry][] {
  return names(directory).flatMap((name) => {
    if (!name.endsWith(".json")) return [];
    const file = builtin("path").join(directory, name);
    const entry = read(file);
    return entry === undefined ? [] : [[file, entry]];
  });
}

function names(directory: string): string[] {
  try {
    return builtin("fs").readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []; // nothing was ever recorded
    throw error;
  }
}

/** Another host may remove the file in this moment; what is not an entry of ours is left alone. */
function read(file: string): LedgerEntry | undefined {
  try {
    const entry = JSON.parse(builtin("fs").readFileSync(file, "utf8")) as LedgerEntry;
    return entry.version === 1 && isName(entry) && isName(entry.host) ? entry : undefined;
  } catch {
    return undefined;
  }
}

function isName({ pid, startTime }: ProcessName): boolean {
  return Number.isSafeInteger(pid) && pid > 1 && typeof startTime === "string" && startTime !== "";
}

function remove(file: string): void {
  try {
    builtin("fs").rmSync(file, { force: true });
  } catch {
    // Read-only by now, perhaps: the next one who reaps finds nothing behind the entry.
  }
}

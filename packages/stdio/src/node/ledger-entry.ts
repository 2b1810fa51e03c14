import { builtin } from "./builtins.js";
import type { DetachedProcessPolicy } from "./detached-processes.js";
import type { ProcessScope } from "./process-scope.js";

/** Identifies a process permanently. A pid alone is not enough, because the system reuses pids. */
export interface ProcessName {
  readonly pid: number;
  readonly startTime: string;
}

/**
 * The part of an entry that is known before the agent is started. This part is enough to find the agent and its
 * descendants, because an environment variable of these processes contains the entry's mark.
 */
export interface PlannedAgent {
  readonly version: 2;
  readonly command: string;
  /** A random text that an environment variable of the agent and its descendants contains. */
  readonly mark: string;
  readonly detachedProcesses: DetachedProcessPolicy;
  readonly host: ProcessName;
  /** The scope in which the pids of the entry are valid. */
  readonly scope: ProcessScope;
  /** The time at which the entry was written, in milliseconds since 1970. */
  readonly plannedAt: number;
}

/** The entry of an agent, as another process reads it from the ledger. */
export interface LedgerEntry extends PlannedAgent {
  /** The process of the agent; `undefined` if the application was killed before or while it started the agent. */
  readonly agent: ProcessName | undefined;
}

/** The content of a ledger file. */
export type EntryFile =
  | { readonly name: "entry"; readonly entry: LedgerEntry }
  /** Incomplete: the application is writing it, or was killed while writing, before it started the agent. */
  | { readonly name: "torn" };

const EXTENSION = ".agent";

/**
 * Records that an agent is about to be started. The file then has one line; {@link writeStarted} adds a second one.
 * Both functions write to the same file, without a temporary copy. So an application that is killed between two steps
 * leaves only this file. A reader ignores an incomplete first line.
 *
 * @returns the path of the file.
 */
export function writePlanned(directory: string, entry: PlannedAgent): string {
  const file = builtin("path").join(directory, `${entry.mark}${EXTENSION}`);
  builtin("fs").writeFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

/** Writes the id and the start time of the started process to its entry in the ledger. */
export function writeStarted(file: string, { pid, startTime }: ProcessName): void {
  builtin("fs").appendFileSync(file, `${JSON.stringify({ pid, startTime })}\n`);
}

/** Removes the entry of an agent that has ended. */
export function removeEntry(file: string): void {
  try {
    builtin("fs").rmSync(file, { force: true });
  } catch {
    // The directory can be read-only by now. The next `reap()` finds no process for the entry and removes it.
  }
}

/** Returns the files of a ledger. Other files in the directory are ignored. */
export function entryFiles(directory: string): string[] {
  try {
    const names = builtin("fs").readdirSync(directory);
    return names
      .filter((name) => /^[\da-f-]{36}\.agent$/.test(name))
      .map((name) => builtin("path").join(directory, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []; // nothing was ever recorded
    throw error;
  }
}

/** Reads an entry. Returns `undefined` if another process has removed it, or if it has an unknown version. */
export function readEntry(file: string): EntryFile | undefined {
  let text: string;
  try {
    text = builtin("fs").readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const [first = "", second = "", ...rest] = text.split("\n");
  if (text.length === first.length) return { name: "torn" };
  const planned = parse(first) as PlannedAgent | undefined;
  if (!isPlanned(planned)) return undefined;
  const agent = rest.length > 0 ? (parse(second) as ProcessName | undefined) : undefined;
  return { name: "entry", entry: { ...planned, agent: isName(agent) && agent.pid > 1 ? agent : undefined } };
}

/** Returns the time at which a file was last written, in milliseconds since 1970. */
export function writtenAt(file: string): number {
  return builtin("fs").statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isPlanned(value: PlannedAgent | undefined): value is PlannedAgent {
  if (typeof value !== "object" || value === null || value.version !== 2) return false;
  const { mark, command, scope, plannedAt } = value;
  const texts = [mark, command, scope?.machine, scope?.boot, scope?.namespace];
  return texts.every((text) => typeof text === "string") && Number.isFinite(plannedAt) && isName(value.host);
}

function isName(value: ProcessName | undefined): value is ProcessName {
  if (typeof value !== "object" || value === null) return false;
  const { pid, startTime } = value;
  return Number.isSafeInteger(pid) && pid > 0 && typeof startTime === "string" && startTime !== "";
}

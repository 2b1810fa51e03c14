import { type DetachedProcess, settleDetached } from "./detached-processes.js";
import { entryFiles, type LedgerEntry, type ProcessName, readEntry, removeEntry, writtenAt } from "./ledger-entry.js";
import { fixedProcessLimits } from "./process-limits.js";
import { carriesMark, markedProcesses } from "./process-marks.js";
import { currentScope, type ProcessScope, relateScope } from "./process-scope.js";
import { groupMembers, type ProcessRow, processRow } from "./process-table.js";
import { isSameProcess, ProcessTree, until } from "./process-tree.js";

/** An agent that a killed application left running and that the ledger has ended, or whose descendants still run. */
export interface ReapedAgent {
  /** The agent, or one of its descendants if the agent had ended before. */
  readonly pid: number;
  readonly command: string;
  /** The descendants of the agent outside its process group that were found. Those with `ended: false` still run. */
  readonly detachedProcesses: readonly DetachedProcess[];
}

/** The result of the search for running processes of an entry's agent. */
type Remains =
  | { readonly name: "group"; readonly tree: ProcessTree }
  | { readonly name: "none" }
  /** It is not known yet whether a process runs, so the entry stays for a later `reap()`. */
  | { readonly name: "undecided" };

/**
 * For this time in milliseconds, an entry that names no process stays in the ledger, even if no process carries its
 * mark. If an application was killed while it started an agent, the system may show the environment of the new process,
 * and so its mark, a moment later. `reap` waits `APPEAR_MS` for it.
 */
const START_MS = 60_000;
const APPEAR_MS = 200;

/** Ends the agents in a ledger whose application has ended, with their descendants, and removes the entries. */
export async function reap(directory: string): Promise<ReapedAgent[]> {
  const here = currentScope();
  return (await Promise.all(entryFiles(directory).map((file) => reapFile(file, here)))).flat();
}

async function reapFile(file: string, here: ProcessScope): Promise<ReapedAgent[]> {
  const read = readEntry(file);
  if (read === undefined) return [];
  if (read.name === "torn") {
    if (Date.now() - writtenAt(file) > START_MS) removeEntry(file);
    return [];
  }
  const { entry } = read;
  const relation = relateScope(entry.scope, here);
  if (relation === "another" || (relation === "same" && isRunning(entry.host))) return [];
  const remains: Remains = relation === "past" ? { name: "none" } : await findRemains(entry);
  if (remains.name === "undecided") return [];
  const { termGraceMs } = fixedProcessLimits;
  const tree = remains.name === "group" ? remains.tree : undefined;
  await tree?.end(termGraceMs);
  const detachedProcesses =
    relation === "past" ? [] : await settleDetached(entry.mark, tree?.pid, entry.detachedProcesses, termGraceMs);
  removeEntry(file);
  // The agent may have ended by itself, because its application closed its input. The processes that it left are still
  // reported.
  const pid = tree?.pid ?? detachedProcesses.find(({ ended }) => ended)?.pid ?? detachedProcesses[0]?.pid;
  return pid === undefined ? [] : [{ pid, command: entry.command, detachedProcesses }];
}

async function findRemains(entry: LedgerEntry): Promise<Remains> {
  if (entry.agent !== undefined) return recorded(entry.agent, entry.mark);
  const isRecent = Date.now() - entry.plannedAt < START_MS;
  if (isRecent) await until(() => markedProcesses(entry.mark).length > 0, APPEAR_MS);
  const [first] = markedProcesses(entry.mark).sort((a, b) => a.startOrder - b.startOrder || a.pid - b.pid);
  if (first === undefined) return { name: isRecent ? "undecided" : "none" };
  return { name: "group", tree: new ProcessTree(first.group, groupMembers(first.group) ?? [first]) };
}

function recorded(agent: ProcessName, mark: string): Remains {
  const holder = processRow(agent.pid);
  // The system has given the pid to another process
  if (holder !== undefined && !isSameProcess(holder, agent)) return { name: "none" };
  const rows = groupMembers(agent.pid);
  if (rows === undefined) {
    return holder === undefined ? { name: "none" } : { name: "group", tree: new ProcessTree(agent.pid) };
  }
  const members = rows.filter(({ zombie }) => !zombie);
  if (members.length === 0) return { name: "none" };
  if (holder?.zombie === false || members.some((member) => belongs(member, agent.pid, mark))) {
    return { name: "group", tree: new ProcessTree(agent.pid, members) };
  }
  return { name: members.some(({ session }) => session === undefined) ? "undecided" : "none" };
}

/**
 * Returns whether a process descends from the agent, which led its process group and has ended. A process that carries
 * the agent's mark is a descendant. So is a process in the operating-system session that the agent created: while the
 * session exists, the system does not reuse its number, so all its members descend from the agent.
 */
function belongs({ pid, session }: ProcessRow, agent: number, mark: string): boolean {
  return session === agent || carriesMark(pid, mark);
}

function isRunning(name: ProcessName): boolean {
  const row = processRow(name.pid);
  return row !== undefined && !row.zombie && isSameProcess(row, name);
}

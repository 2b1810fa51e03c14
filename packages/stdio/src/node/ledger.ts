import { builtin } from "./builtins.js";
import type { DetachedProcessPolicy } from "./detached-processes.js";
import { removeEntry, writePlanned, writeStarted } from "./ledger-entry.js";
import { type ReapedAgent, reap } from "./ledger-reap.js";
import { currentScope } from "./process-scope.js";
import { processRow } from "./process-table.js";

/** Records running agents, so that a later process can end them; see {@link createLedger}. */
export interface AgentLedger {
  /**
   * Ends the agents whose application has ended, for example by a crash or by `SIGKILL`. This includes an application
   * that was killed while it started the agent. It does not end agents of running applications, or agents of
   * applications in another PID namespace, such as a container that shares the directory.
   */
  reap(): Promise<ReapedAgent[]>;
  /** @internal Records one agent that is about to start. Throws when the file can't be written. */
  plan(agent: AgentPlan): LedgerPage;
}

/** @internal The facts about an agent before it is started. */
export interface AgentPlan {
  readonly command: string;
  /** The mark in the environment of the agent. */
  readonly mark: string;
  readonly detachedProcesses: DetachedProcessPolicy;
}

/** @internal The entry of one agent in a ledger. */
export interface LedgerPage {
  /** Called when the agent has started. Throws when the file can't be written. */
  record(pid: number): void;
  /** The agent and its process group have ended, or the agent could not be started: removes the entry. */
  strike(): void;
}

/**
 * Creates a ledger for `spawnAgent`: a directory with one file for each running agent. Several applications can share a
 * ledger. Each start of an agent with the ledger also ends the agents that killed applications have left; `reap()` does
 * only that. The directory is created when the first agent is started.
 */
export function createLedger(directory: string): AgentLedger {
  return { reap: () => reap(directory), plan: (agent) => planIn(directory, agent) };
}

/** Writes an agent's entry synchronously before its start: the application can be killed right after. */
function planIn(directory: string, agent: AgentPlan): LedgerPage {
  builtin("fs").mkdirSync(directory, { recursive: true, mode: 0o700 });
  const row = processRow(process.pid);
  if (row === undefined) return { record() {}, strike() {} }; // the system doesn't show its processes
  const host = { pid: row.pid, startTime: row.startTime };
  const file = writePlanned(directory, { version: 2, ...agent, host, scope: currentScope(), plannedAt: Date.now() });
  return {
    record(pid) {
      const started = processRow(pid);
      if (started !== undefined) writeStarted(file, started); // otherwise the agent has already ended
    },
    strike: () => removeEntry(file),
  };
}

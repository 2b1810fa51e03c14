import { builtin } from "./builtins.js";
import type { DetachedProcessPolicy } from "./detached-processes.js";
import { removeEntry, writePlanned, writeStarted } from "./ledger-entry.js";
import { type ReapedAgent, reap } from "./ledger-reap.js";
import { currentScope } from "./process-scope.js";
import { processRow } from "./process-table.js";

/** Records running agents in a directory that outlives this process. Created by {@link createLedger}. */
export interface AgentLedger {
  /**
   * Ends the agents whose host has ended: processes left behind by a crash, or a `SIGKILL`, of an earlier host, even while it
   * started the agent. Agents of running hosts are left alone, and so are those of hosts in another PID namespace, such as a
   * container that shares the directory.
   */
  reap(): Promise<ReapedAgent[]>;
  /** @internal Records one agent that is about to start. Throws when the file can't be written. */
  plan(agent: AgentPlan): LedgerPage;
}

/** @internal The facts about an agent before it is started. */
export interface AgentPlan {
  readonly command: string;
  /** The mark in its environment. */
  readonly mark: string;
  readonly detachedProcesses: DetachedProcessPolicy;
}

/** @internal The entry of one agent in a ledger. */
export interface LedgerPage {
  /** Called when the agent has started. Throws when the file can't be written. */
  record(pid: number): void;
  /** Called when the agent and its group have ended, or it was never started. */
  strike(): void;
}

/**
 * Creates a ledger for `spawnAgent`: a directory with one file for each running agent, which several hosts may share. Each
 * start of an agent with it also ends agents that earlier hosts left; `reap()` does only that. Nothing is written before the
 * first start.
 */
export function createLedger(directory: string): AgentLedger {
  return { reap: () => reap(directory), plan: (agent) => planIn(directory, agent) };
}

/** Written synchronously and before the start: a host can be killed right after it. */
function planIn(directory: string, agent: AgentPlan): LedgerPage {
  builtin("fs").mkdirSync(directory, { recursive: true, mode: 0o700 });
  const row = processRow(process.pid);
  if (row === undefined) return { record() {}, strike() {} }; // a system that doesn't show processes
  const host = { pid: row.pid, startTime: row.startTime };
  const file = writePlanned(directory, { version: 2, ...agent, host, scope: currentScope(), plannedAt: Date.now() });
  return {
    record(pid) {
      const started = processRow(pid);
      if (started !== undefined) writeStarted(file, started); // else it has ended already
    },
    strike: () => removeEntry(file),
  };
}

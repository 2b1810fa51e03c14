import { builtin } from "./builtins.js";
import type { DetachedProcessPolicy } from "./detached-processes.js";
import { removeEntry, writePlanned, writeStarted } from "./ledger-entry.js";
import { type ReapedAgent, reap } from "./ledger-reap.js";
import { currentScope } from "./process-scope.js";
import { processRow } from "./process-table.js";

/** Remembers which agents run, beyond the life of this process. Created by {@link createLedger}. */
export interface AgentLedger {
  /**
   * Ends the agents whose host is gone: what a crash, or a `SIGKILL`, of an earlier host left behind, even while it started the agent. Agents
   * of hosts that run are left alone, and so are those of hosts in another PID namespace, such as a container that shares the directory.
   */
  reap(): Promise<ReapedAgent[]>;
  /** @internal For one agent that is about to start. Throws when nothing can be written. */
  plan(agent: AgentPlan): LedgerPage;
}

/** @internal What is known of an agent before it is started. */
export interface AgentPlan {
  readonly command: string;
  /** The mark in its environment. */
  readonly mark: string;
  readonly detachedProcesses: DetachedProcessPolicy;
}

/** @internal The place of one agent in a ledger. */
export interface LedgerPage {
  /** The agent has started. Throws when it can't be written. */
  record(pid: number): void;
  /** The agent and its group are gone, or it was never started. */
  strike(): void;
}

/**
 * A ledger for `spawnAgent`: a directory with one file for each running agent, which several hosts may share. Each start of an agent with
 * it ends what earlier hosts left, too; `reap()` does so without one. Nothing is written before the first start.
 */
export function createLedger(directory: string): AgentLedger {
  return { reap: () => reap(directory), plan: (agent) => planIn(directory, agent) };
}

/** Writes at once, since a crash doesn't wait, and before the start: a host can be killed right after it. */
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

import { builtin } from "./builtins.js";
import type { DetachedProcessPolicy } from "./detached-processes.js";
import { removeEntry, writePlanned, writeStarted } from "./ledger-entry.js";
import { type ReapedAgent, reap } from "./ledger-reap.js";
import { currentScope } from "./process-scope.js";
import { processRow } from "./process-table.js";

/** Records running agents in a directory, so that they can be ended after the application was killed. {@link createLedger} creates it. */
export interface AgentLedger {
  /**
   * Ends the agents whose application has ended: processes that were left by a crash or a `SIGKILL`, even if it
   * happened while the agent was being started. Agents of running applications are not ended, and neither are those of
   * applications in another PID namespace, such as a container that shares the directory.
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
 * Creates a ledger for `spawnAgent`: a directory with one file for each running agent, which several applications may
 * share. Each start of an agent with the ledger also ends agents that killed applications left; `reap()` does only
 * that. The directory is created at the first start of an agent.
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

/** A turn, as its agent saw it. */
export interface AgentTurn {
  /** The time at which the agent received the prompt. */
  readonly at: number;
  /** The time at which the agent received a cancellation of the turn. */
  cancelledAt?: number;
  /** The agent's response and its time, unless the agent or its connection ended before. */
  end?: { readonly at: number; readonly stopReason: string };
}

/**
 * The kind of a fault:
 *
 * - `replica`: a replica was killed, paused or shut down.
 * - `engine`: the engine was unavailable, or failed over.
 * - `full`: the storage was full.
 * - `calls`: single calls of the engine fail.
 * - `agent`: an agent was killed.
 */
export type FaultKind = "replica" | "engine" | "full" | "calls" | "agent";

export interface Fault {
  readonly kind: FaultKind;
  readonly at: number;
  readonly until: number;
}

/** The records of agents and clients in a simulation. The checks compare them. */
export class Record {
  /** How often agents received each prompt, by name. */
  readonly executed = new Map<string, number>();
  /**
   * For each prompt, one list for each time that an agent received it: the words that the agent sent in the turn, in
   * order.
   */
  readonly sent = new Map<string, string[][]>();
  /** For each prompt, the turns in which agents ran it. */
  readonly turns = new Map<string, AgentTurn[]>();
  /** How often agents executed each call of a client. */
  readonly calls = new Map<string, number>();
  /** The responses to permission requests, by the request's name. */
  readonly answers = new Map<string, string[]>();
  readonly faults: Fault[] = [];
  /** The problems that were detected during the simulation. */
  readonly problems: string[] = [];

  problem(message: string): void {
    if (this.problems.length < 20) this.problems.push(message);
  }

  /** Whether a fault of one of these kinds occurred between two times, or less than `lastsMs` before. */
  hasFault(kinds: readonly FaultKind[], from: number, to: number, lastsMs = 0): boolean {
    return this.faults.some(({ kind, at, until }) => kinds.includes(kind) && at <= to && until + lastsMs >= from);
  }

  count(counts: Map<string, number>, name: string): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

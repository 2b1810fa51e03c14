/** A turn, as its agent saw it. */
export interface AgentTurn {
  /** The time at which the agent received the prompt. */
  readonly at: number;
  /** The agent's response and its time, unless the agent or its connection ended before. */
  end?: { readonly at: number; readonly stopReason: string };
}

/** The records of agents and clients in a simulation. The checks compare them. */
export class Record {
  /** How often agents received each prompt, by name. */
  readonly executed = new Map<string, number>();
  /** For each prompt, one list for each time that an agent received it: the words that the agent sent in the turn, in order. */
  readonly sent = new Map<string, string[][]>();
  /** For each prompt, the turns in which agents ran it. */
  readonly turns = new Map<string, AgentTurn[]>();
  /** How often agents executed each call of a client. */
  readonly calls = new Map<string, number>();
  /** The responses to permission requests, by the request's name. */
  readonly answers = new Map<string, string[]>();
  /** The times in which a replica was killed, paused or shut down, or calls of the engine failed. */
  readonly faults: { readonly at: number; readonly until: number }[] = [];
  /** The problems that were detected during the simulation. */
  readonly problems: string[] = [];

  problem(message: string): void {
    if (this.problems.length < 20) this.problems.push(message);
  }

  count(counts: Map<string, number>, name: string): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

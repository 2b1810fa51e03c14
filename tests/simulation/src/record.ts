/** The records of agents and clients in a simulation. The checks compare them. */
export class Record {
  /** How often agents received each prompt, by name. */
  readonly executed = new Map<string, number>();
  /** For each prompt, one list for each time that an agent received it: the words that the agent sent in the turn, in order. */
  readonly sent = new Map<string, string[][]>();
  /** The prompts whose turns an agent ended in order, including cancelled turns. */
  readonly ended = new Set<string>();
  /** How often agents executed each call of a client. */
  readonly calls = new Map<string, number>();
  /** The responses to permission requests, by the request's name. */
  readonly answers = new Map<string, string[]>();
  /** The problems that were detected during the simulation. */
  readonly problems: string[] = [];

  problem(message: string): void {
    if (this.problems.length < 20) this.problems.push(message);
  }

  count(counts: Map<string, number>, name: string): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

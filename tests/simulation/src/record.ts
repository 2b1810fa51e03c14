/** What agents and clients of a simulation say happened: the checks compare the two. */
export class Record {
  /** How often agents received each prompt. */
  readonly executed = new Map<string, number>();
  /** What agents sent in the turn of a prompt, in order, until it ended. */
  readonly sent = new Map<string, string[]>();
  /** The prompts whose turn the agent ended by itself. */
  readonly ended = new Set<string>();
  /** How often agents did each call that clients made. */
  readonly calls = new Map<string, number>();
  /** Answers to permission requests, by the request's name. */
  readonly answers = new Map<string, string[]>();
  /** Everything that is wrong at the moment in which it happens. */
  readonly problems: string[] = [];

  problem(message: string): void {
    if (this.problems.length < 20) this.problems.push(message);
  }

  count(counts: Map<string, number>, name: string): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

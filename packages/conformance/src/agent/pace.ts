/** Methods whose work differs so much from agent to agent that only the same kind of work says how long they take. */
const kinds: Readonly<Record<string, string>> = {
  initialize: "initialize",
  authenticate: "authenticate",
  "session/new": "open a session",
  "session/load": "open a session",
  "session/resume": "open a session",
  "session/prompt": "turn",
};

/** How many times as long as a comparable answer an answer may take before it counts as missing. */
const PATIENCE = 8;

/** How fast the agent under test answers, measured over a whole run: what is slow here may be normal there. */
export class Pace {
  readonly #fastest = new Map<string, number>();

  /** Records how many milliseconds the response to a request took. */
  answered(method: string, ms: number): void {
    const kind = kindOf(method);
    this.#fastest.set(kind, Math.min(ms, this.#fastest.get(kind) ?? ms));
  }

  /** Whether an answer that has been missing for so long can only be a missing one. Unknown without a comparable answer. */
  isMissing(method: string, waitedMs: number): boolean {
    const comparable = this.#fastest.get(kindOf(method)) ?? (kindOf(method) === OTHER ? 0 : undefined);
    return comparable !== undefined && waitedMs >= comparable * PATIENCE;
  }
}

const OTHER = "other";

function kindOf(method: string): string {
  return Object.hasOwn(kinds, method) ? (kinds[method] ?? OTHER) : OTHER;
}

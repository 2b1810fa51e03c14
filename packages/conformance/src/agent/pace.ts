import { PATIENCE } from "../patience.js";

/** Methods whose duration differs so much between agents that only methods of the same group are comparable. */
const kinds: Readonly<Record<string, string>> = {
  initialize: "initialize",
  authenticate: "authenticate",
  "session/new": "open a session",
  "session/load": "open a session",
  "session/resume": "open a session",
  "session/prompt": "turn",
};

/** Measures the response times of the agent under test over a whole run, because agents differ in speed. */
export class Pace {
  readonly #fastest = new Map<string, number>();

  /** Records how many milliseconds the response to a request took. */
  answered(method: string, ms: number): void {
    const kind = kindOf(method);
    this.#fastest.set(kind, Math.min(ms, this.#fastest.get(kind) ?? ms));
  }

  /** Returns whether a response that is this late counts as missing. Unknown without a comparable response. */
  isMissing(method: string, waitedMs: number): boolean {
    const comparable = this.#fastest.get(kindOf(method)) ?? (kindOf(method) === OTHER ? 0 : undefined);
    return comparable !== undefined && waitedMs >= comparable * PATIENCE;
  }
}

const OTHER = "other";

function kindOf(method: string): string {
  return Object.hasOwn(kinds, method) ? (kinds[method] ?? OTHER) : OTHER;
}

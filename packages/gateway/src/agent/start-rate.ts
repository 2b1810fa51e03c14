/** Starts within a minute. */
const WINDOW_MS = 60_000;

/** Counts how often something was started during the last minute. */
export class StartRate {
  readonly #max: number;
  /** When the starts of the last minute were, oldest first. */
  #starts: number[] = [];

  /** @param max starts within a minute. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a start. Returns 0 if it is allowed, or the milliseconds until the next one is; that attempt is not counted. */
  start(now: number): number {
    const from = this.#starts.findIndex((at) => at > now - WINDOW_MS);
    this.#starts = from === -1 ? [] : this.#starts.slice(from);
    const [oldest = now] = this.#starts;
    if (this.#starts.length >= this.#max) return oldest + WINDOW_MS - now;
    this.#starts.push(now);
    return 0;
  }
}

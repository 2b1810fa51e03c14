const WINDOW_MS = 60_000;

/** Counts the starts of agents during the last minute. */
export class StartRate {
  readonly #max: number;
  /** The times of the starts in the last minute, oldest first. */
  #starts: number[] = [];

  /** @param max the maximum number of starts within a minute. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Returns 0 and counts a start if it is allowed. Otherwise returns the number of milliseconds until a start is
   * allowed.
   */
  start(now: number): number {
    const from = this.#starts.findIndex((at) => at > now - WINDOW_MS);
    this.#starts = from === -1 ? [] : this.#starts.slice(from);
    const [oldest = now] = this.#starts;
    if (this.#starts.length >= this.#max) return oldest + WINDOW_MS - now;
    this.#starts.push(now);
    return 0;
  }
}

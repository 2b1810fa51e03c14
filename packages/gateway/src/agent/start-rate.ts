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

  /** Counts a start and returns 0. If it is not allowed, does not count it and returns the milliseconds until the next allowed start. */
  start(now: number): number {
    const from = this.#starts.findIndex((at) => at > now - WINDOW_MS);
    this.#starts = from === -1 ? [] : this.#starts.slice(from);
    const [oldest = now] = this.#starts;
    if (this.#starts.length >= this.#max) return oldest + WINDOW_MS - now;
    this.#starts.push(now);
    return 0;
  }
}

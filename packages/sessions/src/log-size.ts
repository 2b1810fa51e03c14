import { beginsTurn, type LogEntry } from "./log-entry.js";

/** The size of a log with a limit. It decides when the oldest turns have to be removed. */
export class LogSize {
  readonly #maxBytes: number;
  #bytes: number;
  /** Whether the log is known to have no turn that could be removed, because the last turn alone exceeds the limit. */
  #isLastTurnOnly = false;

  constructor(maxBytes: number = Number.POSITIVE_INFINITY, bytes = 0) {
    this.#maxBytes = maxBytes;
    this.#bytes = bytes;
  }

  /**
   * Adds the size of a new entry. Returns whether old turns have to be removed now. Removing reads the whole log, so a
   * last turn over the limit must not cause it for each of its entries.
   */
  add(entry: LogEntry, bytes: number): boolean {
    this.#bytes += bytes;
    if (beginsTurn(entry)) this.#isLastTurnOnly = false;
    return this.#bytes > this.#maxBytes && !this.#isLastTurnOnly;
  }

  /** Sets the size after old turns were removed. */
  setShrunk(bytes: number): void {
    this.#bytes = bytes;
    this.#isLastTurnOnly = bytes > this.#maxBytes;
  }
}

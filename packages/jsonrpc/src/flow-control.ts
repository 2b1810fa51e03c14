import type { Transport } from "./transport.js";

/** Limits of what may wait in memory. */
export interface FlowLimits {
  /** Reading pauses above this many bytes of waiting messages, where that can't keep back an awaited answer. */
  readonly highWaterMark: number;
  /** Reading pauses above this many bytes whatever is awaited. */
  readonly maxBacklog: number;
}

/** What a waiting message costs beyond its bytes on the wire: the parsed object around them. */
const MESSAGE_OVERHEAD = 512;

/**
 * Pauses reading while consumers are behind, so that bytes wait in the pipe and not in memory.
 *
 * The rule that keeps this from dead-locking: below `maxBacklog`, reading pauses only while every answer we still wait for would have to
 * wait for the backlog anyway. A consumer that awaits any other answer over the same connection keeps reading alive.
 */
export class FlowControl {
  readonly #transport: Pick<Transport, "pause" | "resume">;
  readonly #limits: FlowLimits;
  readonly #pauseIsSafe: (hasBacklog: (key: string) => boolean) => boolean;
  readonly #onFull: () => void;
  readonly #waiting = new Map<string, number>();
  #total = 0;
  #paused = false;
  #nextCheck: number;

  constructor(
    transport: Pick<Transport, "pause" | "resume">,
    limits: FlowLimits,
    pauseIsSafe: (hasBacklog: (key: string) => boolean) => boolean,
    onFull: () => void,
  ) {
    this.#transport = transport;
    this.#limits = limits;
    this.#pauseIsSafe = pauseIsSafe;
    this.#onFull = onFull;
    this.#nextCheck = limits.highWaterMark;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Bytes that wait, the overhead of each message included. */
  get backlog(): number {
    return this.#total;
  }

  /** A message of `key` has to wait. */
  add(key: string, size: number): void {
    const weight = size + MESSAGE_OVERHEAD;
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + weight);
    this.#total += weight;
    if (this.#total > this.#nextCheck) this.reconsider();
  }

  /** A message of `key` waits no longer. */
  remove(key: string, size: number): void {
    const weight = size + MESSAGE_OVERHEAD;
    const left = (this.#waiting.get(key) ?? 0) - weight;
    if (left > 0) this.#waiting.set(key, left);
    else this.#waiting.delete(key);
    this.#total -= weight;
    if (this.#paused) {
      if (left <= 0 || this.#total <= this.#limits.highWaterMark / 2) this.reconsider();
    } else if (this.#total < this.#limits.highWaterMark) {
      this.#nextCheck = this.#limits.highWaterMark;
    }
  }

  /** To be called when a request was sent or settled, too: what may pause depends on what is awaited. */
  reconsider(): void {
    const { highWaterMark, maxBacklog } = this.#limits;
    const over = this.#total > (this.#paused ? highWaterMark / 2 : highWaterMark);
    const full = this.#total > maxBacklog;
    const pause = over && (full || this.#pauseIsSafe((key) => this.#waiting.has(key)));
    // Judging costs a look at every pending request: do it again only after the backlog grew by a good piece.
    this.#nextCheck = over
      ? Math.min(this.#total + highWaterMark / 8, Math.max(maxBacklog, this.#total))
      : highWaterMark;
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) {
      if (full) this.#onFull();
      this.#transport.pause();
    } else {
      this.#transport.resume();
    }
  }
}

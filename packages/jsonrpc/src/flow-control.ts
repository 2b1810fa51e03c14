import type { Transport } from "./transport.js";

/** Counts the bytes of messages that are queued in an application, by lane. */
export interface Backlog {
  /** Adds the size of a message of the lane `key` that is queued. */
  add(key: string, size: number): void;
  /** Removes the size of a message that is being handled or was dropped. It removes no more than was added. */
  remove(key: string, size: number): void;
}

/** The limit and the functions of the connection that {@link FlowControl} uses. */
export interface FlowControlOptions {
  /** See {@link ConnectionOptions.maxBacklogBytes}. */
  readonly maxBacklogBytes: number;
  /**
   * Returns whether a caller may be awaiting something that a pause of reading would delay: a response, or room in the
   * transport. If this caller is a handler, the queued messages wait for it, and the pause would never end.
   */
  isAwaited(): boolean;
  /** Called once, when a message arrives although messages of `bytes` bytes wait already. It ends the connection. */
  exceeded(bytes: number): void;
}

/** The bytes added for each queued message: the objects around it, and the parsed value of a short text. */
const MESSAGE_OVERHEAD = 512;

/** How much more than `maxBacklogBytes` the connection reads for a caller that may be awaiting a response. */
const HARD_LIMIT_FACTOR = 6;

/**
 * Pauses reading while too many messages wait for their handlers, so that bytes wait in the pipe and not in memory.
 * While a caller may be awaiting a response, it does not pause, so that no handler waits forever; if messages then
 * exceed the hard limit, the connection ends.
 */
export class FlowControl implements Backlog {
  readonly #transport: Pick<Transport, "pause" | "resume">;
  readonly #options: FlowControlOptions;
  /** The bytes of the messages that wait, by lane. */
  readonly #waiting = new Map<string, number>();
  #total = 0;
  #paused = false;
  /** The total above which {@link add} decides again; a decision checks all pending requests. */
  #nextCheck: number;
  #stopped = false;

  constructor(transport: Pick<Transport, "pause" | "resume">, options: FlowControlOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#nextCheck = options.maxBacklogBytes;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Returns whether a message of this lane waits, for its handler or in the application. */
  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  add(key: string, size: number): void {
    const { maxBacklogBytes } = this.#options;
    const before = this.#total;
    const weight = size + MESSAGE_OVERHEAD;
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + weight);
    this.#total += weight;
    if (before >= HARD_LIMIT_FACTOR * maxBacklogBytes) this.#exceed(before);
    else if (!this.#paused && this.#total > this.#nextCheck) this.#judge();
  }

  remove(key: string, size: number): void {
    const waiting = this.#waiting.get(key) ?? 0;
    const weight = Math.min(size + MESSAGE_OVERHEAD, waiting);
    const emptied = weight === waiting;
    if (emptied) this.#waiting.delete(key);
    else this.#waiting.set(key, waiting - weight);
    this.#total -= weight;
    const { maxBacklogBytes } = this.#options;
    if (this.#paused) {
      if (emptied || this.#total <= maxBacklogBytes / 2) this.#judge();
    } else if (this.#total < maxBacklogBytes) {
      this.#nextCheck = maxBacklogBytes;
    }
  }

  /** Decides again whether to read. Called when a caller may have begun to await a response. */
  check(): void {
    if (this.#paused) this.#judge();
  }

  /** Stops all decisions. Called when the connection ends. */
  stop(): void {
    this.#stopped = true;
  }

  /** Reading resumes at half of the total at which it pauses, so that it does not stop and start all the time. */
  #judge(): void {
    if (this.#stopped) return;
    const { maxBacklogBytes, isAwaited } = this.#options;
    const pause = this.#total > (this.#paused ? maxBacklogBytes / 2 : maxBacklogBytes) && !isAwaited();
    this.#nextCheck = Math.max(maxBacklogBytes, this.#total + maxBacklogBytes / 8);
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) this.#transport.pause();
    else this.#transport.resume();
  }

  #exceed(bytes: number): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#paused = true;
    this.#transport.pause();
    this.#options.exceeded(bytes);
  }
}

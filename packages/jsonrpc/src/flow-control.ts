import { after } from "./timer.js";
import type { Transport } from "./transport.js";

/** The limits of buffered messages; see {@link ConnectionOptions}. */
export interface FlowLimits {
  readonly highWaterMarkBytes: number;
  readonly maxBacklogBytes: number;
  readonly stallTimeoutMs: number;
}

/** Counts the bytes of messages that are queued in an application, by lane. */
export interface Backlog {
  /** Adds the size of a message of the lane `key` that is queued. */
  add(key: string, size: number): void;
  /** Removes the size of a message that is being handled or was dropped. */
  remove(key: string, size: number): void;
}

/** The functions of the connection that {@link FlowControl} calls, to query state and to report events. */
export interface FlowWatcher {
  /**
   * Returns whether a pause would block a response that a caller may be awaiting. If this caller is a handler and the
   * queued messages wait for it, the pause would never end.
   */
  starves(): boolean;
  /** Called when reading pauses at `maxBacklogBytes` although a caller may be awaiting a response. */
  full(): void;
  /**
   * Called when such a pause has lasted `stallTimeoutMs` and no handler has finished in this time. The connection then
   * rejects the requests whose responses the pause blocks.
   */
  stalled(): void;
}

/** The number of bytes that are added for each buffered message: for the objects around it, and for the parsed value of a short text. */
const MESSAGE_OVERHEAD = 512;

/**
 * Pauses reading while too many messages wait for their handlers, so that bytes wait in the pipe and not in memory.
 *
 * The following rule prevents deadlocks. Some responses need not wait for the queued messages. If a pause blocks such a
 * response, its request *starves*. Between `highWaterMarkBytes` and `maxBacklogBytes`, reading pauses only if no
 * request would starve. Above `maxBacklogBytes`, reading always pauses. If reading is paused there and no handler
 * finishes for `stallTimeoutMs`, the starving requests reject.
 */
export class FlowControl {
  /** The bytes queued in lanes. An ordered response of the same lane waits for these messages, whether or not reading pauses. */
  readonly lanes: Pool;
  /** The bytes in queues of the application. Only the responses to `alwaysOrdered` requests wait for these messages. */
  readonly queues: Pool;
  readonly #transport: Pick<Transport, "pause" | "resume">;
  readonly #limits: FlowLimits;
  readonly #watcher: FlowWatcher;
  #total = 0;
  #paused = false;
  #starving = false;
  /**
   * The total at which the class next decides whether to read. While reading, it decides when the total has risen to
   * this number; while paused, when the total has fallen to it. It does not decide at every change, because a decision
   * checks all pending requests.
   */
  #nextCheck: number;
  #removals = 0;
  #stopWatching: (() => void) | undefined;
  #stopped = false;

  constructor(transport: Pick<Transport, "pause" | "resume">, limits: FlowLimits, watcher: FlowWatcher) {
    this.#transport = transport;
    this.#limits = limits;
    this.#watcher = watcher;
    this.#nextCheck = limits.highWaterMarkBytes;
    const added = (weight: number): void => this.#added(weight);
    const removed = (weight: number, emptied: boolean): void => this.#removed(weight, emptied);
    this.lanes = new Pool(added, removed);
    this.queues = new Pool(added, removed);
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** The number of buffered bytes, including the overhead of each message. */
  get total(): number {
    return this.#total;
  }

  /** Called when a request was sent. Decides again whether to read, because a caller may be awaiting the response. */
  awaited(): void {
    if (this.#paused && !this.#starving) this.#judge();
  }

  /** Stops all decisions. Called when the connection has ended. */
  stop(): void {
    this.#stopped = true;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #added(weight: number): void {
    this.#total += weight;
    if (!this.#paused && this.#total > this.#nextCheck) this.#judge();
  }

  #removed(weight: number, emptied: boolean): void {
    this.#total -= weight;
    this.#removals += 1;
    if (this.#paused) {
      if (this.#total <= this.#nextCheck || (emptied && !this.#starving)) this.#judge();
    } else if (this.#total < this.#limits.highWaterMarkBytes) {
      this.#nextCheck = this.#limits.highWaterMarkBytes;
    }
  }

  /**
   * Decides whether to read. The total at which reading resumes is lower than the total at which it pauses, so that
   * reading does not stop and start all the time.
   */
  #judge(): void {
    if (this.#stopped) return;
    const { highWaterMarkBytes, maxBacklogBytes } = this.#limits;
    const low = highWaterMarkBytes / 2;
    const lowFull = (maxBacklogBytes * 7) / 8;
    const over = this.#total > (this.#paused ? low : highWaterMarkBytes);
    this.#starving = over && this.#watcher.starves();
    const pause = over && (!this.#starving || this.#total > (this.#paused ? lowFull : maxBacklogBytes));
    if (pause) this.#nextCheck = this.#starving ? lowFull : low;
    else this.#nextCheck = over ? Math.min(this.#total + highWaterMarkBytes / 8, maxBacklogBytes) : highWaterMarkBytes;
    this.#watchForStall(pause && this.#starving);
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) {
      this.#transport.pause();
      if (this.#starving) this.#watcher.full();
    } else {
      this.#transport.resume();
    }
  }

  #watchForStall(watch: boolean): void {
    if (!watch) {
      this.#stopWatching?.();
      this.#stopWatching = undefined;
    } else if (this.#stopWatching === undefined && this.#limits.stallTimeoutMs > 0) {
      const seen = this.#removals;
      const check = (): void => {
        this.#stopWatching = undefined;
        if (this.#removals === seen) this.#watcher.stalled();
        this.#judge();
      };
      // While reading is paused, this timer may be the only thing that keeps the process alive. It must fire to end the deadlock.
      this.#stopWatching = after(this.#limits.stallTimeoutMs, check, { keepAlive: true });
    }
  }
}

/** Counts buffered bytes by key. */
class Pool implements Backlog {
  readonly #waiting = new Map<string, number>();
  readonly #added: (weight: number) => void;
  readonly #removed: (weight: number, emptied: boolean) => void;

  constructor(added: (weight: number) => void, removed: (weight: number, emptied: boolean) => void) {
    this.#added = added;
    this.#removed = removed;
  }

  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  add(key: string, size: number): void {
    const weight = size + MESSAGE_OVERHEAD;
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + weight);
    this.#added(weight);
  }

  /** Removes bytes of a key, but no more than were added. */
  remove(key: string, size: number): void {
    const waiting = this.#waiting.get(key) ?? 0;
    const weight = Math.min(size + MESSAGE_OVERHEAD, waiting);
    if (weight < waiting) this.#waiting.set(key, waiting - weight);
    else this.#waiting.delete(key);
    if (weight > 0) this.#removed(weight, weight === waiting);
  }
}

import { after } from "./timer.js";
import type { Transport } from "./transport.js";

/** Limits of what may wait in memory; see {@link ConnectionOptions}. */
export interface FlowLimits {
  readonly highWaterMarkBytes: number;
  readonly maxBacklogBytes: number;
  readonly stallTimeoutMs: number;
}

/** Where a queue of delivered messages tells how much waits in it. */
export interface Backlog {
  /** A message of the lane `key` has to wait. */
  add(key: string, size: number): void;
  /** It waits no longer: it is being handled, or it was dropped. */
  remove(key: string, size: number): void;
}

/** What flow control asks of the connection, and tells it. */
export interface FlowWatcher {
  /** A pause would keep back an answer that somebody may be awaiting, maybe the very handler that everything waits for. */
  starves(): boolean;
  /** Reading paused although it starves somebody. */
  full(): void;
  /** That pause has lasted `stallTimeoutMs` without anything being handled: whoever starves has to be given up. */
  stalled(): void;
}

/** What a waiting message costs beyond its bytes on the wire: the parsed object around them. */
const MESSAGE_OVERHEAD = 512;

/**
 * Pauses reading while handlers are behind, so that bytes wait in the pipe and not in memory.
 *
 * The rule that keeps this from dead-locking: between `highWaterMarkBytes` and `maxBacklogBytes`, reading pauses only while every answer we still wait for
 * would have to wait for the backlog anyway. Whoever awaits any other answer over the same connection keeps reading alive. Above `maxBacklogBytes`
 * reading pauses all the same; when that brings everything to a standstill, the requests that starve reject.
 */
export class FlowControl {
  /** What waits in lanes. An ordered answer of the same lane has to wait for it anyway. */
  readonly lanes: Pool;
  /** What waits in queues of others. No answer waits for it, except those whose sender said so. */
  readonly queues: Pool;
  readonly #transport: Pick<Transport, "pause" | "resume">;
  readonly #limits: FlowLimits;
  readonly #watcher: FlowWatcher;
  #total = 0;
  #paused = false;
  #starving = false;
  /** Judging looks at every pending request, so it is done again only when the total crosses this: upwards while reading, downwards while paused. */
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

  /** Bytes that wait, the overhead of each message included. */
  get total(): number {
    return this.#total;
  }

  /** A request was sent whose answer somebody may be awaiting. */
  awaited(): void {
    if (this.#paused && !this.#starving) this.#judge();
  }

  /** The connection has ended: there is nothing to pause any more. */
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

  /** Decides whether to read, with some distance between the marks where reading stops and where it goes on. */
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
      // With reading paused, nothing else may keep the process alive that has this knot to cut.
      this.#stopWatching = after(this.#limits.stallTimeoutMs, check, { keepAlive: true });
    }
  }
}

/** Key → what waits. */
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

  /** Takes out no more than was put in. */
  remove(key: string, size: number): void {
    const waiting = this.#waiting.get(key) ?? 0;
    const weight = Math.min(size + MESSAGE_OVERHEAD, waiting);
    if (weight < waiting) this.#waiting.set(key, waiting - weight);
    else this.#waiting.delete(key);
    if (weight > 0) this.#removed(weight, weight === waiting);
  }
}

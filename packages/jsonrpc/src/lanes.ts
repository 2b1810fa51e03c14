import type { Backlog } from "./flow-control.js";
import { HeldLane, type LaneEntry } from "./held-lane.js";
import { memoryOf } from "./memory-of.js";

/** The functions with which {@link Lanes} runs its entries. */
export interface LaneWork<Message, Passing> {
  /** Runs the handler of a message; doesn't throw. A returned promise blocks the lane until it settles. */
  run(message: Message, size: number): Promise<unknown> | undefined;
  /** Runs a non-blocking entry after the entries before it; doesn't throw. */
  pass(entry: Passing): void;
  /** Returns the JSON value of a message or entry that has to wait, so that its memory can be estimated. */
  contentOf(entry: Message | Passing): unknown;
  /** Called if the promise that `run` returned rejects. */
  failed(message: Message, cause: unknown): void;
  /** Called when a blocked lane has become free. */
  freed(): void;
}

/**
 * The code that is on the call stack:
 *
 * - `idle`: no handler and no entry. An entry whose lane is free runs immediately.
 * - `running`: the handler of a message. The handler blocks its lane until it returns, or until the promise that it
 *   returned settles.
 * - `passing`: a non-blocking entry. The entry blocks no lane, not even the lane in which it was queued.
 * - `admitting`: the scheduler, which runs the entries that arrived while a handler or a non-blocking entry was on the
 *   stack.
 *
 * While a handler or a non-blocking entry is on the stack, no other handler or entry starts. Some transports deliver
 * messages while they send, and one handler must not interrupt another.
 */
type Activity = "idle" | "running" | "passing" | "admitting";

/** The size in bytes from which a parsed message's memory is estimated; an overhead covers shorter ones. */
const LONG_TEXT = 256;

/**
 * Runs the handlers of messages of one lane in order (in ACP, the messages of one session), without blocking other
 * lanes.
 *
 * The handler of a message whose lane is free runs immediately, synchronously. If it returns a promise, it *holds* the
 * lane until the promise settles, and further entries of the lane are queued. A non-blocking entry waits for the
 * entries before it; entries after it don't wait for it.
 */
export class Lanes<Message extends object, Passing extends object> {
  readonly #held = new Map<string, HeldLane<Message, Passing>>();
  /** The lane object that was freed last, for reuse. */
  #spare: HeldLane<Message, Passing> | undefined;
  /** Entries for a free lane that arrived while a handler or a non-blocking entry was on the stack. */
  #arrived: LaneEntry<Message, Passing>[] = [];
  #activity: Activity = "idle";
  /** The lane of the entry on the stack; `undefined` for a non-blocking entry that was not queued. */
  #key: string | undefined;
  readonly #work: LaneWork<Message, Passing>;
  readonly #backlog: Backlog;

  constructor(work: LaneWork<Message, Passing>, backlog: Backlog) {
    this.#work = work;
    this.#backlog = backlog;
  }

  /** Whether no lane is held. */
  get idle(): boolean {
    return this.#held.size === 0;
  }

  /** Returns whether the calling code may be part of a handler that holds this lane. */
  isHeld(key: string): boolean {
    return this.#key === key ? this.#activity === "running" : this.#held.has(key);
  }

  /** Returns whether a handler that has returned a promise holds this lane. */
  isWaiting(key: string): boolean {
    return this.#held.has(key);
  }

  /** Returns whether an entry of this lane would be queued. */
  isBlocked(key: string): boolean {
    if (this.#activity === "running" || this.#activity === "passing") return true;
    // The first check avoids hashing the key of each update.
    return this.#held.size > 0 && this.#held.has(key);
  }

  /** Runs `message` once all entries before it in its lane have finished. */
  deliver(key: string, message: Message, size: number): void {
    if (this.isBlocked(key)) {
      this.#wait({ kind: "message", key, message, size, weight: this.#weightOf(message, size) });
      return;
    }
    this.#start(key, message, size);
    this.#admit();
  }

  /** Runs a non-blocking entry once all entries before it in its lane have finished. */
  pass(key: string, entry: Passing, size: number): void {
    if (this.isBlocked(key)) {
      this.#wait({ kind: "passing", key, entry, size, weight: this.#weightOf(entry, size) });
      return;
    }
    this.#pass(undefined, entry);
    this.#admit();
  }

  /** Drops all queued entries and returns their number. Running handlers are not affected. */
  clear(): number {
    let dropped = this.#arrived.length;
    this.#arrived = [];
    for (const { queue } of this.#held.values()) {
      dropped += queue.length;
      queue.clear();
    }
    return dropped;
  }

  #wait(entry: LaneEntry<Message, Passing>): void {
    const lane = this.#held.get(entry.key);
    if (lane === undefined) {
      this.#arrived.push(entry);
    } else {
      lane.queue.push(entry);
      this.#backlog.add(entry.key, entry.weight);
    }
  }

  /** The bytes of a waiting entry: its text, or the parsed value if that needs more. */
  #weightOf(entry: Message | Passing, size: number): number {
    return size < LONG_TEXT ? size : Math.max(size, memoryOf(this.#work.contentOf(entry)));
  }

  #start(key: string, message: Message, size: number): void {
    const handler = this.#run(key, message, size);
    if (handler === undefined) return;
    const lane = this.#spare ?? this.#newLane();
    this.#spare = undefined;
    lane.key = key;
    this.#held.set(key, lane);
    lane.hold(message, handler);
  }

  #newLane(): HeldLane<Message, Passing> {
    return new HeldLane(
      (lane) => this.#finished(lane),
      (message, cause) => this.#work.failed(message, cause),
    );
  }

  /** Runs queued entries until a handler holds the lane again. Called when the holding handler has finished. */
  #finished(lane: HeldLane<Message, Passing>): void {
    const free = !this.#runWaiting(lane);
    if (free) {
      this.#held.delete(lane.key);
      lane.release();
      this.#spare = lane;
    }
    this.#admit();
    if (free) this.#work.freed();
  }

  /** Runs queued entries of a lane until one of them holds it. Returns whether the lane is held again. */
  #runWaiting(lane: HeldLane<Message, Passing>): boolean {
    const { key, queue } = lane;
    for (let next = queue.take(); next !== undefined; next = queue.take()) {
      this.#backlog.remove(key, next.weight);
      if (next.kind === "passing") {
        this.#pass(key, next.entry);
        continue;
      }
      const handler = this.#run(key, next.message, next.size);
      if (handler === undefined) continue;
      lane.hold(next.message, handler);
      return true;
    }
    return false;
  }

  /** Runs, in order, the entries that arrived while another was on the stack, and those that arrive now. */
  #admit(): void {
    if (this.#arrived.length === 0 || this.#activity !== "idle") return;
    this.#enter("admitting", undefined);
    for (let next = 0; next < this.#arrived.length; next += 1) {
      const arrived = this.#arrived[next] as LaneEntry<Message, Passing>;
      if (arrived.kind === "passing") this.pass(arrived.key, arrived.entry, arrived.size);
      else this.deliver(arrived.key, arrived.message, arrived.size);
    }
    this.#arrived = [];
    this.#enter("idle", undefined);
  }

  #run(key: string, message: Message, size: number): Promise<unknown> | undefined {
    const below = this.#enter("running", key);
    const handler = this.#work.run(message, size);
    this.#enter(below, undefined);
    return handler;
  }

  #pass(key: string | undefined, entry: Passing): void {
    const below = this.#enter("passing", key);
    this.#work.pass(entry);
    this.#enter(below, undefined);
  }

  /** Changes the activity and returns the previous one, for the caller to restore. Nothing else changes it. */
  #enter(activity: Activity, key: string | undefined): Activity {
    const below = this.#activity;
    this.#activity = activity;
    this.#key = key;
    return below;
  }
}

import { after as afterMs, type Backlog } from "@acp-kit/protocol/internal";
import type { BufferLimits } from "../limits.js";

/**
 * How long {@link UpdateQueue.reached} waits for a reader that does not take its next update, in milliseconds. The
 * reader may be waiting for the very question that would wait for it.
 */
const stalledMs = 1_000;

/**
 * The states of a queue.
 *
 * - `unread`: no `for await` has begun; updates are buffered, up to a limit.
 * - `complete`: no `for await` has begun, and the turn has ended.
 * - `overflown`: the limit was exceeded; all updates were dropped.
 * - `reading`: a `for await` runs, and more updates can arrive.
 * - `draining`: a `for await` runs and ends after the last buffered update.
 * - `left`: the `for await` has ended; later updates are dropped.
 */
type QueueState = "unread" | "complete" | "overflown" | "reading" | "draining" | "left";

type QueueEvent = "read" | "end" | "overflow" | "leave";

const transitions: Readonly<Record<QueueState, Readonly<Partial<Record<QueueEvent, QueueState>>>>> = {
  unread: { read: "reading", end: "complete", overflow: "overflown" },
  complete: { read: "draining", overflow: "overflown" },
  overflown: {},
  reading: { end: "draining", leave: "left" },
  draining: { leave: "left" },
  left: {},
};

/** A caller of {@link UpdateQueue.reached}. */
interface Waiter {
  /** The number of updates that the reader must have taken. */
  readonly last: number;
  readonly resolve: () => void;
  stop: () => void;
}

/** Returns the state after an event; the same state if the event changes nothing. */
function after(state: QueueState, event: QueueEvent): QueueState {
  return transitions[state][event] ?? state;
}

/**
 * The updates of a turn between their arrival and the `for await` that reads them.
 *
 * Once the application reads the updates, buffered updates count as backlog: a slow reader pauses the connection, so
 * that the updates don't fill the memory. Before that, the queue buffers updates only up to its limits, because some
 * applications never read the updates.
 */
export class UpdateQueue<Item> implements AsyncIterable<Item> {
  readonly #backlog: Backlog;
  readonly #key: string;
  readonly #limits: BufferLimits;
  #state: QueueState = "unread";
  #items: Item[] = [];
  #sizes: number[] = [];
  #head = 0;
  /** The size in bytes of all updates that arrived before a consumer began to read. */
  #unreadBytes = 0;
  /** The error of a turn that failed. The reader gets it after the last update. */
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;
  #taken = 0;
  readonly #waiters = new Set<Waiter>();
  /** Called when the application has read an update. */
  onRead: (() => void) | undefined;

  constructor(backlog: Backlog, key: string, limits: BufferLimits) {
    this.#backlog = backlog;
    this.#limits = limits;
    this.#key = key;
  }

  push(item: Item, size: number): void {
    switch (this.#state) {
      case "overflown":
      case "left":
        return;
      case "unread":
      case "complete":
        if (!this.#hasRoom(size)) {
          this.#state = after(this.#state, "overflow");
          this.#items = [];
          this.#sizes = [];
          return;
        }
        break;
      default:
        this.#backlog.add(this.#key, size);
    }
    this.#items.push(item);
    this.#sizes.push(size);
    this.#wake?.();
  }

  /** Ends the queue. With a failure, reading throws its error after the last update. Only the first call counts. */
  end(failure?: { readonly error: unknown }): void {
    const before = this.#state;
    this.#state = after(before, "end");
    if (this.#state !== before) this.#failure = failure;
    this.#wake?.();
  }

  /**
   * Returns a promise that resolves when the reader has handled all updates that have arrived so far and asks for the
   * next one, or when it no longer will: it has left, or it has not taken an update for a second. Returns `undefined`
   * if there is nothing to wait for, for example because no loop reads.
   */
  reached(): Promise<void> | undefined {
    const isRead = this.#state === "reading" || this.#state === "draining";
    const waiting = this.#items.length - this.#head;
    if (!isRead || (waiting === 0 && this.#wake !== undefined)) return undefined;
    return new Promise((resolve) => {
      const waiter: Waiter = { last: this.#taken + waiting, resolve, stop: () => {} };
      this.#waiters.add(waiter);
      this.#startLimit(waiter);
    });
  }

  #startLimit(waiter: Waiter): void {
    waiter.stop();
    waiter.stop = afterMs(stalledMs, () => this.#release(waiter));
  }

  /** Resolves the promises whose updates the reader has handled. Called when it asks for the next update. */
  #releaseReached(): void {
    for (const waiter of this.#waiters) if (waiter.last <= this.#taken) this.#release(waiter);
  }

  #release(waiter: Waiter): void {
    waiter.stop();
    this.#waiters.delete(waiter);
    waiter.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    if (this.#state === "overflown") {
      const { maxBufferedUpdates, maxBufferedBytes } = this.#limits;
      const limits = `more than ${maxBufferedUpdates} updates or more than ${maxBufferedBytes} bytes`;
      throw new TypeError(
        `The updates of this turn were dropped, because ${limits} arrived before the application began to read them. Begin to read right after session.prompt()`,
      );
    }
    if (this.#state !== "unread" && this.#state !== "complete")
      throw new TypeError("The updates of a turn can be read only once");
    this.#state = after(this.#state, "read");
    for (const size of this.#sizes) this.#backlog.add(this.#key, size);
    try {
      for (;;) {
        while (this.#head < this.#items.length) {
          yield this.#shift();
          this.#releaseReached();
        }
        if (this.#state === "draining") {
          if (this.#failure !== undefined) throw this.#failure.error;
          return;
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      this.#state = after(this.#state, "leave");
      while (this.#head < this.#items.length) this.#shift();
      for (const waiter of this.#waiters) this.#release(waiter);
    }
  }

  #hasRoom(size: number): boolean {
    const { maxBufferedUpdates, maxBufferedBytes } = this.#limits;
    this.#unreadBytes += size;
    return this.#items.length < maxBufferedUpdates && this.#unreadBytes <= maxBufferedBytes;
  }

  #shift(): Item {
    const item = this.#items[this.#head] as Item;
    const size = this.#sizes[this.#head] as number;
    this.#items[this.#head] = undefined as Item;
    this.#head += 1;
    this.#taken += 1;
    if (this.#waiters.size > 0) for (const waiter of this.#waiters) this.#startLimit(waiter);
    if (this.#head === this.#items.length || (this.#head > 1024 && this.#head * 2 > this.#items.length)) {
      this.#items = this.#items.slice(this.#head);
      this.#sizes = this.#sizes.slice(this.#head);
      this.#head = 0;
    }
    this.#backlog.remove(this.#key, size);
    this.onRead?.();
    return item;
  }
}

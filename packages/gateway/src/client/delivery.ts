import { type Deferred, deferred } from "@acp-kit/jsonrpc/internal";
import { type GatewayClock, sleep } from "../clock.js";
import { type EngineError, isCorrupt } from "../engine/engine-error.js";
import type { Position } from "../engine/journal-page.js";
import { ENTRIES_PER_TURN, type Feed, type FeedReader } from "../journal/feed.js";
import { readRepaired } from "../journal/read-repaired.js";
import type { RecordedEntry } from "../journal/recorded-entry.js";
import { deliveryBytesOf, type ReadRoom } from "../read-room.js";

/**
 * Why delivery can't continue:
 *
 * - `expired`: the entries that the client needs next were trimmed.
 * - `ahead`: the journal has lost entries that the client has received.
 * - `missing`: the session no longer exists.
 * - An error: the engine can't read the entries.
 */
export type DeliveryLoss = "expired" | "ahead" | "missing" | EngineError;

/** Sends an entry to the client. If it returns a promise, the promise resolves when the client has room again. */
export type DeliverEntry = (recorded: RecordedEntry) => Promise<unknown> | undefined;

/** Options of a {@link Delivery}. */
export interface DeliveryOptions {
  readonly feed: Feed;
  readonly clock: GatewayClock;
  readonly retryMs: number;
  /** Counts the entries that are in memory only for this client while it reads. */
  readonly room: ReadRoom;
  /** Returns the function that sends the entries of a page. */
  readonly deliver: (page: readonly RecordedEntry[]) => DeliverEntry;
  /** Called when delivery can't continue. */
  readonly onLost: (why: DeliveryLoss) => void;
}

/**
 * - `open`: entries are delivered once delivery has started.
 * - `paused`: the client is opening the session again, so delivery waits.
 * - `ended`: nothing is delivered any more.
 */
type DeliveryState = "open" | "paused" | "ended";

/** Reads a session's journal from the position of one client, as fast as the client reads, and delivers the entries. */
export class Delivery implements FeedReader {
  readonly #options: DeliveryOptions;
  #state: DeliveryState = "open";
  #isStarted = false;
  /** Settles when the run that was started last has stopped. */
  #run: Promise<void> = Promise.resolve();
  #position: Position;
  /** Callers that wait until the client has received an entry. */
  #waiting: (Position & { readonly done: Deferred<void> })[] = [];
  /** Whether {@link onPush} was called, or delivery has to stop, since the feed was last read. */
  #hasNews = false;
  /** Continues a run that waits for news. */
  #wake: () => void = () => {};
  readonly #stopReading: () => void;

  /** @param from delivery starts after this position. */
  constructor(options: DeliveryOptions, from: Position) {
    this.#options = options;
    this.#position = from;
    this.#stopReading = options.feed.addReader(this);
  }

  /** The position of the last entry that the client has received. */
  get position(): Position {
    return this.#position;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Whether the client has received every entry that this replica knows. */
  get isCaughtUp(): boolean {
    const { last } = this.#options.feed;
    return this.#position.seq === last.seq && this.#position.epoch === last.epoch;
  }

  onPush(): void {
    this.#hasNews = true;
    this.#wake();
  }

  /** Starts delivery. Until then, the client has not received the response to the request that opens the session. */
  start(): void {
    this.#isStarted = true;
    this.#release();
    this.#startRun();
  }

  /** Stops after the last entry that the client has received, until {@link resume} or {@link end} is called. */
  pause(): void {
    if (this.#state !== "open") return;
    this.#state = "paused";
    this.onPush();
  }

  /** Continues after {@link pause}. */
  resume(): void {
    if (this.#state !== "paused") return;
    this.#state = "open";
    if (this.#isStarted) this.#startRun();
  }

  /** Ends delivery. Callers of {@link reached} wait for the `next` delivery, if there is one. */
  end(next?: Delivery): void {
    this.#state = "ended";
    this.#stopReading();
    this.onPush();
    const waiting = this.#waiting.splice(0);
    if (next !== undefined) next.#waiting.push(...waiting);
    else for (const { done } of waiting) done.resolve();
  }

  /**
   * Resolves when the client has received the journal entry with this number, or delivery has ended.
   *
   * @param epoch the epoch of the entry. If the client has received entries with higher numbers and an older epoch, a
   * failover has lost those entries. The client will then be detached.
   */
  reached(seq: number, epoch: number): Promise<void> {
    if (this.#state === "ended" || (this.#isStarted && isAt(this.#position, { seq, epoch }))) return Promise.resolve();
    const done = deferred();
    this.#waiting.push({ seq, epoch, done });
    return done.promise;
  }

  #startRun(): void {
    // A run that was paused may still wait for the engine or the client
    this.#run = this.#run.then(() => this.#deliverAll());
  }

  async #deliverAll(): Promise<void> {
    const { feed, clock, retryMs, room, onLost } = this.#options;
    while (this.isOpen) {
      this.#hasNews = false;
      let release: (() => void) | undefined;
      try {
        let page = feed.readRecent(this.#position);
        if (page === undefined) {
          const read = await room.read(() => feed.read(this.#position), deliveryBytesOf);
          page = read.result;
          release = read.release;
        }
        if (page.is === "ahead") page = await readRepaired(feed, this.#position, { clock, retryMs });
        if (page.is !== "page") {
          if (this.isOpen) onLost(page.is);
          return;
        }
        if (page.entries.length > 0) await this.#deliverPage(page.entries, release !== undefined);
        else if (!this.#hasNews) await this.#untilNews();
      } catch (error) {
        if (isCorrupt(error)) {
          if (this.isOpen) onLost(error);
          return;
        }
        await sleep(clock, retryMs); // the engine is unavailable
      } finally {
        release?.();
      }
    }
  }

  #untilNews(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /**
   * Delivers the entries of a page. If the page is shared with other readers (not `isOwn`), stops after an entry for
   * which the client has no room. Otherwise a client that reads nothing would keep entries in memory that the feed has
   * dropped.
   */
  async #deliverPage(entries: readonly RecordedEntry[], isOwn: boolean): Promise<void> {
    const { clock } = this.#options;
    const deliver = this.#options.deliver(entries);
    let sent = 0;
    for (const recorded of entries) {
      sent += 1;
      if (sent % ENTRIES_PER_TURN === 0 && clock.turn !== undefined) await clock.turn();
      if (!this.isOpen) return;
      const release = isOwn || recorded.text.length <= LARGE_CHARS ? undefined : await this.#roomFor(recorded);
      if (!this.isOpen) {
        release?.();
        return;
      }
      const wait = deliver(recorded);
      this.#position = recorded;
      if (this.#waiting.length > 0) this.#release();
      if (wait === undefined) {
        release?.();
        continue;
      }
      this.#position = { seq: recorded.seq, epoch: recorded.epoch };
      await wait;
      release?.();
      if (!isOwn) return;
    }
    const { seq, epoch } = this.#position;
    this.#position = { seq, epoch }; // a copy, so that the entry does not stay in memory
  }

  /**
   * Waits until a large entry may be copied for this client. The returned function reports that the client has read it.
   */
  async #roomFor(recorded: RecordedEntry): Promise<() => void> {
    const part = { is: "page", entries: [recorded] };
    const { release } = await this.#options.room.read(() => part, deliveryBytesOf);
    return release;
  }

  #release(): void {
    const reached = this.#waiting.filter((waiting) => isAt(this.#position, waiting));
    this.#waiting = this.#waiting.filter((waiting) => !isAt(this.#position, waiting));
    for (const { done } of reached) done.resolve();
  }
}

/** The number of characters above which the copy of an entry for one client counts. */
const LARGE_CHARS = 65_536;

/** Returns whether a position is at an entry or after it. Within a journal, epochs never decrease. */
function isAt(position: Position, entry: Position): boolean {
  return position.seq >= entry.seq && position.epoch >= entry.epoch;
}

import type { Engine } from "../engine/engine.js";
import { EngineError } from "../engine/engine-error.js";
import type { JournalPage, PageLimits, Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import { deliveryBytesOf, type ReadRoom } from "../read-room.js";
import { type RecordedEntry, storedEntry } from "./recorded-entry.js";

/** The limits of a {@link Feed}. */
export interface FeedLimits {
  /**
   * The maximum number of characters of recent entries in memory, for slow readers. Older entries are read from the
   * engine.
   */
  readonly maxRecentChars: number;
  readonly page: PageLimits;
  /** The function `turn` of the clock: lets others work after each page of a long journal. */
  readonly turn?: (() => Promise<void>) | undefined;
}

/** The number of entries after which a reader lets others work. */
export const ENTRIES_PER_TURN = 100;

/**
 * The number of characters of entries that stay in memory after every reader has read them, for clients that connect
 * again.
 */
const KEPT_CHARS = 8_192;

/** A reader of a {@link Feed}, with its own position. */
export interface FeedReader {
  /** The position of the last entry that it has read. */
  readonly position: Position;
  /** Called after entries were added. */
  onPush(): void;
}

/**
 * The result of reading a feed: the entries after the position (none at the end), or the reason why they can't be read.
 */
export type FeedPage =
  | { readonly is: "page"; readonly entries: readonly RecordedEntry[] }
  | { readonly is: "ahead"; readonly mayReturn: boolean }
  | { readonly is: "expired" | "missing" };

/**
 * How {@link Feed.pull} ended:
 *
 * - `read`: every entry was read.
 * - `missing`: the session is gone.
 * - `ahead`: the engine has lost known entries, and their owner may append them again.
 * - `lost`: the engine has lost known entries permanently.
 */
export type PullEnd = "read" | "missing" | "ahead" | "lost";

/**
 * The durable entries of one session, for all readers on this replica: recent entries from memory, older ones from the
 * engine.
 *
 * On the owner's replica, the owner pushes the entries that it has written. On other replicas, {@link pull} reads them
 * from the engine.
 */
export class Feed {
  readonly key: SessionKey;
  readonly #engine: Engine;
  readonly #limits: FeedLimits;
  /** Recent entries; those before `#start` are dropped. */
  #recent: RecordedEntry[] = [];
  #start = 0;
  #chars = 0;
  #before: Position;
  #last: Position;
  #pulling: Promise<PullEnd> | undefined;
  /** The reason why nothing can be read any more; `undefined` while entries can be read. */
  #ended: "missing" | EngineError | undefined;
  readonly #readers = new Set<FeedReader>();

  constructor(engine: Engine, key: SessionKey, last: Position, limits: FeedLimits) {
    this.#engine = engine;
    this.key = key;
    this.#before = last;
    this.#last = last;
    this.#limits = limits;
  }

  /** The last entry that this replica knows of. */
  get last(): Position {
    return this.#last;
  }

  /** Adds durable entries. Known entries are ignored. */
  push(entries: readonly RecordedEntry[]): void {
    let { seq, epoch } = this.#last;
    for (const entry of entries) {
      if (entry.seq !== seq + 1) continue;
      this.#recent.push(entry);
      this.#chars += entry.text.length;
      ({ seq, epoch } = entry);
    }
    if (seq === this.#last.seq) return;
    this.#last = { seq, epoch };
    this.#drop();
    for (const reader of [...this.#readers]) reader.onPush();
  }

  /** Drops the oldest entries: those that every reader has read, and those beyond the limit. The last entry stays. */
  #drop(): void {
    const { maxRecentChars } = this.#limits;
    const keptChars = Math.min(KEPT_CHARS, maxRecentChars);
    if (this.#chars <= keptChars) return;
    let passed = this.#last.seq;
    for (const { position } of this.#readers) passed = Math.min(passed, position.seq);
    const end = this.#recent.length - 1;
    for (; this.#start < end; this.#start++) {
      const { seq, text } = this.#recent[this.#start] as RecordedEntry;
      if (this.#chars <= (seq <= passed ? keptChars : maxRecentChars)) break;
      this.#chars -= text.length;
    }
    const { seq, epoch } = this.#recent[this.#start - 1] ?? this.#before;
    this.#before = { seq, epoch };
    if (this.#start < this.#recent.length / 2) return; // each entry is moved once, on average
    this.#recent = this.#recent.slice(this.#start);
    this.#start = 0;
  }

  /**
   * Sets {@link last} to the journal's new end, because entries were lost or removed, and drops all entries in memory.
   * Readers detect that at their next read.
   */
  reset(last: Position): void {
    this.#last = last;
    this.rest();
    for (const reader of [...this.#readers]) reader.onPush();
  }

  /**
   * Ends the feed, because the session no longer exists or the engine can't read its journal. Readers detect that at
   * their next read.
   */
  end(why: "missing" | EngineError): void {
    this.rest();
    this.#ended = why;
    for (const reader of [...this.#readers]) reader.onPush();
  }

  /** Drops all entries in memory, because the session sleeps. */
  rest(): void {
    this.#recent = [];
    this.#start = 0;
    this.#chars = 0;
    this.#before = this.#last;
  }

  /** Reads the entries that other replicas have appended. */
  pull(): Promise<PullEnd> {
    this.#pulling ??= this.#pull().finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  async #pull(): Promise<PullEnd> {
    for (;;) {
      const page = await this.#page(this.#last);
      if (page.is === "expired") return (await this.skip()) ? "read" : "missing";
      if (page.is === "missing") return "missing";
      if (page.is === "ahead") return this.#mayReturn(page.last, this.#last) ? "ahead" : "lost";
      if (page.entries.length === 0) return "read";
      this.push(page.entries.map(storedEntry));
      if (this.#last.seq >= page.last.seq) return "read";
    }
  }

  /**
   * Moves to the end of the journal, because the entries after the last known one were removed, or known ones are lost.
   * Readers detect that at their next read. Stays at its position if entries were added meanwhile. Resolves with
   * `false` if the session is gone.
   */
  async skip(): Promise<boolean> {
    const before = this.#last;
    const last = await endOf(this.#engine, this.key);
    if (last === undefined) return false;
    if (this.#last === before) this.reset(last);
    return true;
  }

  /**
   * Reads the entries after a position. Synchronous if they are in memory.
   *
   * @throws {EngineError} also synchronously, if the feed has ended with this error.
   */
  read(after: Position): FeedPage | Promise<FeedPage> {
    return this.readRecent(after) ?? this.#readEngine(after);
  }

  /** Like {@link read}, but returns `undefined` if the entries are not in memory. */
  readRecent(after: Position): FeedPage | undefined {
    if (this.#ended === "missing") return { is: "missing" };
    if (this.#ended !== undefined) throw this.#ended;
    if (after.seq === this.#last.seq && after.epoch === this.#last.epoch) return { is: "page", entries: [] };
    const from = this.#start + after.seq - this.#before.seq;
    const known = from === this.#start ? this.#before : this.#recent[from - 1];
    const isRecent = from >= this.#start && known?.epoch === after.epoch;
    return isRecent ? { is: "page", entries: this.#recent.slice(from) } : undefined;
  }

  async #readEngine(after: Position): Promise<FeedPage> {
    const page = await this.#page(after);
    if (page.is === "page") {
      // The engine has no entries after this position, but this replica knows some. The engine has lost them, and their
      // owner may append them again.
      const isBehind = page.entries.length === 0 && this.#mayReturn(page.last, this.#last);
      return isBehind ? { is: "ahead", mayReturn: true } : { is: "page", entries: page.entries.map(storedEntry) };
    }
    if (page.is !== "ahead") return { is: page.is };
    return { is: "ahead", mayReturn: this.#mayReturn(page.last, after) };
  }

  /**
   * @param most the maximum number of entries.
   * @throws {EngineError} `corrupt` if the engine returns entries that don't continue at the position: a reader would
   * read them again and again.
   */
  async #page(after: Position | undefined, most = Number.POSITIVE_INFINITY): Promise<JournalPage> {
    const { maxEntries, maxChars } = this.#limits.page;
    const page = await this.#engine.read(this.key, after, { maxEntries: Math.min(most, maxEntries), maxChars });
    if (page.is !== "page") return page;
    const { turn } = this.#limits;
    if (page.entries.length >= ENTRIES_PER_TURN && turn !== undefined) await turn();
    const [first] = page.entries;
    if (after === undefined || first === undefined || first.seq === after.seq + 1) return page;
    throw new EngineError(
      "corrupt",
      `The engine returned entry ${first.seq} where entry ${after.seq + 1} was expected`,
    );
  }

  /**
   * Whether the owner may append the lost entries after `last` again. If `last` has a newer epoch than `after`, the
   * session has a newer lease, and no replica appends the lost entries again.
   */
  #mayReturn(last: Position, after: Position): boolean {
    return this.#engine.mayLose === true && last.seq < after.seq && last.epoch <= after.epoch;
  }

  /**
   * Reads pages up to a position. Entries that are trimmed meanwhile are skipped. A read that fails is not repeated:
   * the engine may have lost entries meanwhile, and the pages before and after would not belong to one history.
   *
   * @param room counts each page until the next one is requested.
   * @param from the position before the first entry to read. Default: before the oldest kept entry.
   */
  async *history(until: Position, room?: ReadRoom, from?: Position): AsyncGenerator<readonly RecordedEntry[], void> {
    let after = from;
    for (;;) {
      const readPage = () => this.#page(after, until.seq - (after?.seq ?? 0));
      const read = await room?.read(readPage, deliveryBytesOf);
      const page = read?.result ?? (await readPage());
      try {
        if (page.is === "expired" && after !== undefined && page.first > after.seq + 1) {
          after = undefined;
          continue;
        }
        if (page.is !== "page")
          throw new EngineError("unavailable", `The journal could not be read to its end (${page.is})`);
        const last = page.entries.at(-1);
        const isReplaced = page.entries.some(({ seq, epoch }) => seq === until.seq && epoch !== until.epoch);
        if (isReplaced || (last === undefined && (after?.seq ?? 0) < until.seq))
          throw new EngineError("unavailable", "The journal lost its last entries while it was read");
        const entries = page.entries.filter(({ seq }) => seq <= until.seq).map(storedEntry);
        if (entries.length > 0) yield entries;
        if (last === undefined || last.seq >= until.seq) return;
        after = { seq: last.seq, epoch: last.epoch };
      } finally {
        read?.release();
      }
    }
  }

  /**
   * Calls `listener` after entries were added, without keeping entries in memory. The returned function removes the
   * listener.
   */
  onPush(listener: () => void): () => void {
    return this.addReader({ position: { seq: Number.MAX_SAFE_INTEGER, epoch: 0 }, onPush: listener });
  }

  /** Adds a reader, and keeps entries in memory until it has read them. The returned function removes the reader. */
  addReader(reader: FeedReader): () => void {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }
}

/** Returns the end of a session's journal, or `undefined` if the session does not exist. */
export async function endOf(engine: Engine, key: SessionKey): Promise<Position | undefined> {
  const beyond = { seq: Number.MAX_SAFE_INTEGER, epoch: 0 };
  const page = await engine.read(key, beyond, { maxEntries: 1, maxChars: 0 });
  if (page.is === "missing" || page.is === "expired") return undefined;
  return page.last;
}

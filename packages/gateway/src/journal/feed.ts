import type { Engine } from "../engine/engine.js";
import { EngineError } from "../engine/engine-error.js";
import type { PageLimits, Position, StoredJournalEntry } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import type { JournalEntry, RecordedEntry } from "./journal-entry.js";

/** The limits of a {@link Feed}. */
export interface FeedLimits {
  /** Entries that stay in memory for readers that are behind, in characters; older ones are read from the engine. */
  readonly maxRecentChars: number;
  readonly page: PageLimits;
}

/** Recent entries that stay in memory after every reader has passed them, in characters: for clients that connect again. */
const KEPT_CHARS = 65_536;

/** A reader of a {@link Feed}, with its own position. */
export interface FeedReader {
  /** What it has read. */
  readonly position: Position;
  /** Entries were added. */
  onPush(): void;
}

/** The result of reading a feed: entries behind the position (none at its end), or why there can't be any. */
export type FeedPage =
  | { readonly is: "page"; readonly entries: readonly RecordedEntry[] }
  | { readonly is: "expired" | "ahead" | "missing" };

/**
 * The durable entries of one session, for every reader on this replica: recent ones from memory, older ones from the engine.
 *
 * The owner pushes what it has written; elsewhere {@link pull} reads what the engine reports.
 */
export class Feed {
  readonly key: SessionKey;
  readonly #engine: Engine;
  readonly #limits: FeedLimits;
  /** Recent entries; those before `#start` are dropped. */
  #recent: RecordedEntry[] = [];
  #start = 0;
  #chars = 0;
  #last: Position;
  #pulling: Promise<boolean> | undefined;
  readonly #readers = new Set<FeedReader>();

  constructor(engine: Engine, key: SessionKey, last: Position, limits: FeedLimits) {
    this.#engine = engine;
    this.key = key;
    this.#last = last;
    this.#limits = limits;
  }

  /** The last entry that this replica knows of. */
  get last(): Position {
    return this.#last;
  }

  /** Adds entries that are durable. Those that are known already are ignored. */
  push(entries: readonly RecordedEntry[]): void {
    let { seq, epoch } = this.#last;
    for (const entry of entries) {
      if (entry.seq !== seq + 1) continue;
      this.#recent.push(entry);
      this.#chars += entry.chars;
      ({ seq, epoch } = entry);
    }
    if (seq === this.#last.seq) return;
    this.#last = { seq, epoch };
    this.#drop();
    for (const reader of [...this.#readers]) reader.onPush();
  }

  /** Drops entries that every reader has passed, and those that are too many. The last one stays. */
  #drop(): void {
    const { maxRecentChars } = this.#limits;
    const keptChars = Math.min(KEPT_CHARS, maxRecentChars);
    if (this.#chars <= keptChars) return;
    let passed = this.#last.seq;
    for (const { position } of this.#readers) passed = Math.min(passed, position.seq);
    const end = this.#recent.length - 1;
    for (; this.#start < end; this.#start++) {
      const { seq, chars } = this.#recent[this.#start] as RecordedEntry;
      if (this.#chars <= (seq <= passed ? keptChars : maxRecentChars)) break;
      this.#chars -= chars;
    }
    if (this.#start < this.#recent.length / 2) return; // each entry is moved once, on average
    this.#recent = this.#recent.slice(this.#start);
    this.#start = 0;
  }

  /** The journal is another one than was known: it lost entries. Readers notice at their next read. */
  reset(last: Position): void {
    this.rest();
    this.#last = last;
    for (const reader of [...this.#readers]) reader.onPush();
  }

  /** The session sleeps: its entries stay in the engine only. */
  rest(): void {
    this.#recent = [];
    this.#start = 0;
    this.#chars = 0;
  }

  /** Reads what other replicas have appended since. `false` if the session is gone, or its journal is not the one we know. */
  pull(): Promise<boolean> {
    this.#pulling ??= this.#pull().finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  async #pull(): Promise<boolean> {
    for (;;) {
      const page = await this.#engine.read(this.key, this.#last, this.#limits.page);
      if (page.is === "expired") return this.#skipRemoved();
      if (page.is !== "page") return false;
      if (page.entries.length === 0) return true;
      this.push(page.entries.map(recordedOf));
      if (this.#last.seq >= page.last.seq) return true;
    }
  }

  /** Goes to the end of the journal, because what follows the last known entry was removed: readers notice at their next read. */
  async #skipRemoved(): Promise<boolean> {
    const last = await endOf(this.#engine, this.key);
    if (last === undefined) return false;
    this.reset(last);
    return true;
  }

  /** Entries behind a position. Synchronous where they are in memory. */
  read(after: Position): FeedPage | Promise<FeedPage> {
    if (after.seq === this.#last.seq && after.epoch === this.#last.epoch) return { is: "page", entries: [] };
    const first = this.#recent[this.#start]?.seq;
    if (first !== undefined && after.seq >= first && after.seq < this.#last.seq) {
      const at = this.#start + after.seq - first;
      if (this.#recent[at]?.epoch === after.epoch) return { is: "page", entries: this.#recent.slice(at + 1) };
    }
    return this.#readEngine(after);
  }

  async #readEngine(after: Position): Promise<FeedPage> {
    const page = await this.#engine.read(this.key, after, this.#limits.page);
    return page.is === "page" ? { is: "page", entries: page.entries.map(recordedOf) } : { is: page.is };
  }

  /** Pages from the oldest entry left up to a position. Entries that are trimmed while it is read are skipped. */
  async *history(until: Position): AsyncGenerator<readonly RecordedEntry[], void> {
    let after: Position | undefined;
    for (;;) {
      const page = await this.#engine.read(this.key, after, this.#limits.page);
      if (page.is === "expired" && after !== undefined && page.first > after.seq + 1) {
        after = undefined;
        continue;
      }
      if (page.is !== "page")
        throw new EngineError("unavailable", `The journal could not be read to its end (${page.is})`);
      const entries = page.entries.filter(({ seq }) => seq <= until.seq).map(recordedOf);
      if (entries.length > 0) yield entries;
      const last = page.entries.at(-1);
      if (last === undefined || last.seq >= until.seq) return;
      after = { seq: last.seq, epoch: last.epoch };
    }
  }

  /** Calls `listener` after entries were added, and keeps none in memory for it. The returned function ends that. */
  onPush(listener: () => void): () => void {
    return this.addReader({ position: { seq: Number.MAX_SAFE_INTEGER, epoch: 0 }, onPush: listener });
  }

  /** Keeps entries in memory for a reader until it has passed them. The returned function ends that. */
  addReader(reader: FeedReader): () => void {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }
}

/** The end of a journal; `undefined` if there is no such session. */
export async function endOf(engine: Engine, key: SessionKey): Promise<Position | undefined> {
  const beyond = { seq: Number.MAX_SAFE_INTEGER, epoch: 0 };
  const page = await engine.read(key, beyond, { maxEntries: 1, maxChars: 0 });
  if (page.is === "missing" || page.is === "expired") return undefined;
  return page.last;
}

/** @throws {EngineError} `corrupt` for a text that no gateway has written. */
export function recordedOf({ seq, epoch, text }: StoredJournalEntry): RecordedEntry {
  try {
    const entry = JSON.parse(text) as JournalEntry;
    if (typeof entry?.type === "string") return { seq, epoch, entry, chars: text.length };
  } catch (cause) {
    throw new EngineError("corrupt", `Entry ${seq} of a journal is not JSON`, { cause });
  }
  throw new EngineError("corrupt", `Entry ${seq} of a journal has no type`);
}

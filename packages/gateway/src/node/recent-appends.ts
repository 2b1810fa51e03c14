import { crc32 } from "node:zlib";
import type { Database, Statement } from "libsql";
import { journalPartLimits, journalPartsOf } from "../engine/journal-parts.js";
import { ManyRows, type Row } from "./many-rows.js";
import { type EntryRun, recentRowText, runsOfRecentRow } from "./recent-row.js";
import { bytesOf, checkSum, type SqliteBlob, textOf } from "./sqlite-texts.js";

/** If an append to one session has this number of characters, its entries are moved to `parts` at once. */
const LONG_APPEND_CHARS = 8_192;
/** The number of characters that a row counts for, if its text is shorter. */
const MIN_ROW_CHARS = 4_096;
/**
 * Entries are moved to `parts` once this number of characters was written after them: 1,024 short rows. This limits the
 * memory, and the time to open the file.
 */
const MAX_CHARS = 4_194_304;
/**
 * Rows without recent entries are deleted each time this number of characters was written, because a statement for each
 * row would take more time.
 */
const DELETE_CHARS = 131_072;

/** The entries of one session that are not in `parts` yet. */
export interface RecentEntries extends EntryRun {
  /** The number of the last entry. */
  readonly last: number;
  readonly chars: number;
}

/**
 * Recent entries, with the id of the oldest row that contains one of them, and the number of characters that were
 * written before this row.
 */
interface StoredEntries extends RecentEntries {
  readonly row: number;
  readonly writtenBefore: number;
  // Each transaction adds entries to the object: a new object with all entries would take more time than the append.
  at: number;
  last: number;
  chars: number;
  readonly texts: string[];
}

/**
 * The entries that are not in the table `parts` yet.
 *
 * A row of `parts` for each short append would be slow: with 100 sessions, each transaction would change about ten
 * pages of the index. Instead, all short appends of a transaction are one row of the table `recent_appends`, and their
 * entries stay in memory, where readers find them. Once a session has as many entries as a part may have, they are
 * moved to `parts`. {@link RecentAppends.restore} reads the rows after a crash.
 */
export class RecentAppends {
  readonly #parts: ManyRows;
  readonly #insert: Statement;
  readonly #deleteBefore: Statement;
  readonly #all: Statement;
  readonly #lastOf: Statement;
  /** The committed entries by place, in the order of their oldest rows. */
  readonly #stored = new Map<number, StoredEntries>();
  #lastRow = 0;
  /** The number of characters of all committed rows, including those that were deleted since. */
  #written = 0;
  /** The number of characters of the row that the running transaction has written. */
  #writing = 0;
  /** The entries that the running transaction has added, by place. */
  #added = new Map<number, RecentEntries>();
  /** The places whose stored entries the running transaction has moved to `parts`. */
  #moved = new Set<number>();

  constructor(database: Database) {
    this.#parts = new ManyRows(
      database,
      8,
      (values) => `INSERT INTO parts (session, first_seq, last_seq, epoch, at, chars, crc, texts) ${values}`,
    );
    this.#insert = database.prepare("INSERT INTO recent_appends (id, crc, texts) VALUES (?, ?, ?)");
    this.#deleteBefore = database.prepare("DELETE FROM recent_appends WHERE id < ?");
    this.#all = database.prepare(
      `SELECT CAST(id AS INTEGER) AS id, CAST(crc AS INTEGER) AS crc, CAST(texts AS BLOB) AS texts
         FROM recent_appends ORDER BY recent_appends.id`,
    );
    this.#lastOf = database.prepare(
      `SELECT CAST(COALESCE((SELECT MAX(last_seq) FROM parts WHERE session = place), trimmed_seq) AS INTEGER) AS last
         FROM sessions WHERE place = ?`,
    );
  }

  /** Returns the committed entries of a session that are not in `parts`. */
  of(place: number): RecentEntries | undefined {
    return this.#stored.get(place);
  }

  /** Returns the newest entries of a session that are not in `parts`, including those of the running transaction. */
  newestOf(place: number): RecentEntries | undefined {
    return this.#added.get(place) ?? (this.#moved.has(place) ? undefined : this.#stored.get(place));
  }

  /** Adds an append, which must have at least one entry, to the running transaction. */
  add(run: EntryRun): void {
    const { place, epoch } = run;
    const before = this.newestOf(place);
    if (before !== undefined && before.epoch !== epoch) this.move(place); // a part has one epoch
    this.#added.set(place, joined(this.#added.get(place), run));
  }

  /** Moves the entries of a session to `parts` in the running transaction. */
  move(place: number): void {
    this.#parts.write(this.#take(place));
  }

  /** Moves the entries of all sessions to `parts`, and deletes all rows, in the running transaction. */
  moveAll(): void {
    const places = new Set([...this.#stored.keys(), ...this.#added.keys()]);
    this.#parts.write(Array.from(places).flatMap((place) => this.#take(place)));
    this.#deleteBefore.run(this.#lastRow + 1);
  }

  /** Writes the added entries. Called at the end of the transaction. */
  write(): void {
    const full: number[] = [];
    for (const [place, added] of this.#added) {
      const stored = this.#moved.has(place) ? undefined : this.#stored.get(place);
      const count = added.last + 1 - (stored ?? added).first;
      const chars = added.chars + (stored?.chars ?? 0);
      const { maxEntries, maxChars } = journalPartLimits;
      if (count >= maxEntries || chars >= maxChars || added.chars >= LONG_APPEND_CHARS) full.push(place);
    }
    this.#parts.write([...full, ...this.#oldest()].flatMap((place) => this.#take(place)));
    if (this.#added.size === 0) return;
    const id = this.#lastRow + 1;
    const text = recentRowText(this.#added.values());
    this.#insert.run(id, crc32(text), text);
    this.#writing = sizeOf(text);
    const isDue = this.#written % DELETE_CHARS >= DELETE_CHARS - this.#writing;
    if (isDue) this.#deleteBefore.run(this.#oldestRow() ?? id);
  }

  /** Keeps the changes of the transaction in memory after it was committed. */
  committed(): void {
    for (const place of this.#moved) this.#stored.delete(place);
    if (this.#added.size > 0) this.#lastRow += 1;
    for (const added of this.#added.values()) this.#store(added);
    this.#written += this.#writing;
    this.drop();
  }

  /** Drops the changes of a transaction that failed. */
  drop(): void {
    if (this.#added.size > 0) this.#added = new Map();
    if (this.#moved.size > 0) this.#moved = new Set();
    this.#writing = 0;
  }

  /**
   * Reads the rows that the file contains when it is opened.
   *
   * @throws {TypeError} or {SyntaxError} if a row is damaged.
   */
  restore(): void {
    const rows = this.#all.all() as { readonly id: number; readonly crc: number; readonly texts: SqliteBlob }[];
    for (const { id, crc, texts } of rows) {
      checkSum(bytesOf(texts), crc);
      const text = textOf(texts);
      this.#lastRow = id;
      for (const run of runsOfRecentRow(text)) this.#restoreRun(run);
      this.#written += sizeOf(text);
    }
  }

  #restoreRun(run: EntryRun): void {
    const stored = this.#stored.get(run.place);
    const last = stored?.last ?? this.#lastInParts(run.place);
    if (last === undefined) return; // the session was deleted
    if (run.first + run.texts.length - 1 <= last) return; // the entries were moved to `parts`
    if (run.first !== last + 1 || (stored?.epoch ?? run.epoch) !== run.epoch)
      throw new TypeError(`Entry ${last + 1} of a journal is missing`);
    this.#store(joined(undefined, run));
  }

  #lastInParts(place: number): number | undefined {
    return (this.#lastOf.get(place) as { readonly last: number } | undefined)?.last;
  }

  /** Returns the places whose stored entries are in rows after whose beginning `MAX_CHARS` were written. */
  #oldest(): number[] {
    const places: number[] = [];
    for (const [place, { writtenBefore }] of this.#stored) {
      if (this.#written - writtenBefore < MAX_CHARS) break;
      places.push(place);
    }
    return places;
  }

  /** Returns the id of the oldest row that still contains a recent entry after the running transaction. */
  #oldestRow(): number | undefined {
    for (const [place, { row }] of this.#stored) if (!this.#moved.has(place)) return row;
    return undefined;
  }

  /** Keeps entries of the last row in memory. */
  #store(run: RecentEntries): void {
    const { place, first, epoch, at, last, chars } = run;
    const stored = this.#stored.get(place);
    if (stored === undefined) {
      const row = { row: this.#lastRow, writtenBefore: this.#written };
      this.#stored.set(place, { place, first, epoch, at, last, chars, texts: [...run.texts], ...row });
    } else {
      for (const text of run.texts) stored.texts.push(text);
      stored.at = at;
      stored.last = last;
      stored.chars += chars;
    }
  }

  /**
   * Returns the rows of `parts` for the entries of a session that are not in `parts`. The running transaction must
   * write them.
   */
  #take(place: number): Row[] {
    const stored = this.#moved.has(place) ? undefined : this.#stored.get(place);
    const added = this.#added.get(place);
    const run = added === undefined ? stored : joined(stored, added);
    this.#added.delete(place);
    this.#moved.add(place);
    if (run === undefined) return [];
    const { epoch, at, texts } = run;
    return journalPartsOf(texts, run.first).map((part) => [
      place,
      part.first,
      part.last,
      epoch,
      at,
      part.chars,
      crc32(part.texts),
      part.texts,
    ]);
  }
}

/** Appends a run to the entries before it. */
function joined(before: RecentEntries | undefined, run: EntryRun): RecentEntries {
  let chars = before?.chars ?? 0;
  for (const text of run.texts) chars += text.length;
  const { place, epoch, at } = run;
  const last = run.first + run.texts.length - 1;
  const texts = before === undefined ? run.texts : [...before.texts, ...run.texts];
  return { place, epoch, at, chars, last, first: before?.first ?? run.first, texts };
}

/** Returns the number of characters that a row counts for. */
const sizeOf = (text: string): number => Math.max(text.length, MIN_ROW_CHARS);

import { crc32 } from "node:zlib";
import type { Database, Statement } from "libsql";
import { journalPartsOf } from "../engine/journal-parts.js";
import type { RecordPatch } from "../engine/session-record.js";

/** The highest number of rows that one statement writes. */
const MAX_ROWS = 8;

type Row = readonly (string | number | null)[];

/** One append to the journal of a session. */
export interface Append {
  /** The row id of the session. */
  readonly place: number;
  /** The number of the first entry. */
  readonly first: number;
  readonly epoch: number;
  readonly entries: readonly string[];
  /** The time in milliseconds since 1970. */
  readonly at: number;
  readonly patch: RecordPatch;
}

/**
 * The rows of the appends of one transaction. A call of a statement takes more time than a row, so the rows of several sessions are
 * written together.
 */
export class AppendRows {
  /** The statements that insert 1, 2, 3, … rows, in this order. */
  readonly #insertParts: readonly Statement[];
  readonly #updateRecords: readonly Statement[];
  #parts: Row[] = [];
  /** The changed records, by row id. */
  #records = new Map<number, Row>();

  constructor(database: Database) {
    const counts = Array.from({ length: MAX_ROWS }, (_, i) => i + 1);
    this.#insertParts = counts.map((count) => database.prepare(insertParts(count)));
    this.#updateRecords = counts.map((count) => database.prepare(updateRecords(count)));
  }

  /** Adds the rows of an append, which must have at least one entry. */
  add({ place, first, epoch, entries, at, patch: { state, title } }: Append): void {
    for (const { first: partFirst, last, chars, texts } of journalPartsOf(entries, first))
      this.#parts.push([place, partFirst, last, epoch, at, chars, crc32(texts), texts]);
    if (state === undefined && title === undefined) return;
    if (this.#records.has(place)) this.write(); // a statement must not update the same record twice
    this.#records.set(place, [place, state ?? null, title !== undefined ? 1 : 0, title ?? null]);
  }

  /** Writes the rows. */
  write(): void {
    if (this.#parts.length === 0 && this.#records.size === 0) return;
    const [parts, records] = [this.#parts, [...this.#records.values()]];
    this.drop();
    write(parts, this.#insertParts);
    write(records, this.#updateRecords);
  }

  /** Drops the rows of a transaction that failed. */
  drop(): void {
    this.#parts = [];
    this.#records = new Map();
  }
}

function write(rows: readonly Row[], statements: readonly Statement[]): void {
  for (let i = 0; i < rows.length; i += MAX_ROWS) {
    const some = rows.slice(i, i + MAX_ROWS);
    statements[some.length - 1]?.run(...some.flat());
  }
}

const insertParts = (count: number): string =>
  `INSERT INTO parts (session, first_seq, last_seq, epoch, at, chars, crc, texts) VALUES ${parameters(count, 8)}`;

/** Creates the statement that updates several records. No session may appear twice. */
const updateRecords = (count: number): string =>
  `UPDATE sessions SET state = COALESCE(new.column2, state), title = CASE WHEN new.column3 THEN new.column4 ELSE title END
     FROM (VALUES ${parameters(count, 4)}) AS new WHERE place = new.column1`;

/** The parameters of rows: `(?, ?), (?, ?)`. */
const parameters = (rows: number, columns: number): string =>
  Array.from({ length: rows }, () => `(${Array.from({ length: columns }, () => "?").join(", ")})`).join(", ");

import type { Database, Statement } from "libsql";
import type { RecordPatch } from "../engine/session-record.js";

/** The number of rows of the statement for many entries of one session. */
const MANY = 50;
/** The highest number of rows of the statements that write rows of several sessions together. */
const SOME = 8;

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
  readonly #appendMany: Statement;
  /** The statements that insert 1, 2, 3, … rows, in this order. */
  readonly #insertEntries: readonly Statement[];
  readonly #updateRecords: readonly Statement[];
  #entries: Row[] = [];
  /** The changed records, by row id. */
  #records = new Map<number, Row>();

  constructor(database: Database) {
    const counts = Array.from({ length: SOME }, (_, i) => i + 1);
    this.#appendMany = database.prepare(appendMany);
    this.#insertEntries = counts.map((count) => database.prepare(insertEntries(count)));
    this.#updateRecords = counts.map((count) => database.prepare(updateRecords(count)));
  }

  /** Adds the rows of an append, which must have at least one entry. */
  add({ place, first, epoch, entries, at, patch: { state, title } }: Append): void {
    if (this.#records.has(place)) this.write();
    let i = 0;
    for (; i + MANY <= entries.length; i += MANY) {
      const texts = entries.slice(i, i + MANY).flatMap((text) => [text.length, text]);
      this.#appendMany.run(place, first + i, epoch, ...texts);
    }
    for (const text of entries.slice(i)) this.#entries.push([place, first + i++, epoch, text.length, text]);
    const isTitled = title !== undefined ? 1 : 0;
    this.#records.set(place, [place, first + entries.length - 1, epoch, at, state ?? null, isTitled, title ?? null]);
  }

  /** Writes the rows. */
  write(): void {
    if (this.#records.size === 0) return;
    const [entries, records] = [this.#entries, [...this.#records.values()]];
    this.drop();
    write(entries, this.#insertEntries);
    write(records, this.#updateRecords);
  }

  /** Drops the rows of a transaction that failed. */
  drop(): void {
    this.#entries = [];
    this.#records = new Map();
  }
}

function write(rows: readonly Row[], statements: readonly Statement[]): void {
  for (let i = 0; i < rows.length; i += SOME) {
    const some = rows.slice(i, i + SOME);
    statements[some.length - 1]?.run(...some.flat());
  }
}

const appendMany = `INSERT INTO entries (session, seq, epoch, chars, text) VALUES ${Array.from(
  { length: MANY },
  (_, i) => `(?1, ?2 + ${i}, ?3, ?${4 + 2 * i}, ?${5 + 2 * i})`,
).join(", ")}`;

const insertEntries = (count: number): string =>
  `INSERT INTO entries (session, seq, epoch, chars, text) VALUES ${parameters(count, 5)}`;

/** Creates the statement that updates several records. No session may appear twice. */
const updateRecords = (count: number): string =>
  `UPDATE sessions SET last_seq = new.column2, last_epoch = new.column3, updated_at = new.column4,
     state = COALESCE(new.column5, state), title = CASE WHEN new.column6 THEN new.column7 ELSE title END
     FROM (VALUES ${parameters(count, 7)}) AS new WHERE place = new.column1`;

/** The parameters of rows: `(?, ?), (?, ?)`. */
const parameters = (rows: number, columns: number): string =>
  Array.from({ length: rows }, () => `(${Array.from({ length: columns }, () => "?").join(", ")})`).join(", ");

import type { Database, Statement } from "libsql";
import { journalPartLimits } from "../engine/journal-parts.js";
import type { SqliteBlob } from "./sqlite-texts.js";

/**
 * Selects texts as bytes. libsql crashes the process when it reads a text that isn't UTF-8. A damaged file may contain
 * one anywhere, so numbers are cast too.
 */
const bytes = (...names: string[]): string => names.map((name) => `CAST(${name} AS BLOB) AS ${name}`).join(", ");
const numbers = (...names: string[]): string => names.map((name) => `CAST(${name} AS INTEGER) AS ${name}`).join(", ");
const record = `${bytes("id", "cwd", "additional_directories", "title", "state")}, ${numbers("place", "created_at")},
     CAST(COALESCE((SELECT at FROM parts WHERE session = place ORDER BY last_seq DESC LIMIT 1), updated_at) AS INTEGER) AS updated_at`;
const positions = `${numbers("place", "epoch", "trimmed_seq", "trimmed_epoch")},
     CAST(COALESCE((SELECT MAX(last_seq) FROM parts WHERE session = place), trimmed_seq) AS INTEGER) AS last_seq,
     CAST(COALESCE((SELECT epoch FROM parts WHERE session = place ORDER BY last_seq DESC LIMIT 1), trimmed_epoch) AS INTEGER) AS last_epoch`;

type StatementName =
  | "create"
  | "find"
  | "list"
  | "count"
  | "positions"
  | "acquire"
  | "partAt"
  | "page"
  | "parts"
  | "trim"
  | "trimmed"
  | "deleteParts"
  | "deleteSession";

/**
 * An `ORDER BY` states the table with the column. The name of the column alone would mean the result of a `CAST`, and
 * SQLite would sort every row.
 */
const sql: Readonly<Record<StatementName, string>> = {
  create: `INSERT INTO sessions (scope, id, cwd, additional_directories, state, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, id) DO NOTHING`,
  find: `SELECT ${record} FROM sessions WHERE scope = ? AND id = ?`,
  list: `SELECT ${record} FROM sessions WHERE scope = ?1 AND place < ?2 AND (?3 IS NULL OR cwd = ?3) ORDER BY sessions.place DESC LIMIT ?4`,
  count: `SELECT CAST(COUNT(*) AS INTEGER) AS count FROM sessions WHERE scope = ?`,
  positions: `SELECT ${positions} FROM sessions WHERE scope = ? AND id = ?`,
  acquire: "UPDATE sessions SET epoch = ? WHERE place = ?",
  partAt: `SELECT ${numbers("epoch", "at")} FROM parts WHERE session = ? AND last_seq >= ? ORDER BY last_seq LIMIT 1`,
  // Returns one row for a whole page, because each row takes more time in JavaScript than in SQLite. The row contains
  // every entry of the page, and may contain entries before and after the page, because it consists of whole parts.
  page: `SELECT ${numbers("first_seq", "last_seq", "first_epoch", "last_epoch")}, ${bytes("sums", "texts")}
     FROM (SELECT MIN(first_seq) AS first_seq, MAX(last_seq) AS last_seq, MIN(epoch) AS first_epoch, MAX(epoch) AS last_epoch,
         group_concat(octet_length(texts) || ' ' || crc, ',' ORDER BY last_seq) AS sums,
         group_concat(texts, char(10) ORDER BY last_seq) AS texts
       FROM (SELECT parts.* FROM (SELECT rowid AS part, SUM(chars) OVER (ORDER BY last_seq) - chars AS chars_before
         FROM parts WHERE session = ?1 AND last_seq > ?2 AND last_seq < ?2 + ?3 + ${journalPartLimits.maxEntries} AND first_seq <= ?2 + ?3)
         JOIN parts ON parts.rowid = part WHERE chars_before <= ?4 + ${journalPartLimits.maxChars}))`,
  parts: `SELECT ${numbers("first_seq", "last_seq", "epoch", "crc")}, ${bytes("texts")} FROM parts
     WHERE session = ? AND last_seq > ? AND last_seq <= ? ORDER BY parts.last_seq`,
  trim: "DELETE FROM parts WHERE session = ? AND last_seq <= ?",
  trimmed: "UPDATE sessions SET trimmed_seq = ?2, trimmed_epoch = ?3, updated_at = ?4 WHERE place = ?1",
  deleteParts: "DELETE FROM parts WHERE session = ?",
  deleteSession: "DELETE FROM sessions WHERE place = ?",
};

/** The statements of a SQLite engine, except those of appends. */
export type EngineStatements = Readonly<Record<StatementName, Statement>>;

export function prepareEngineStatements(database: Database): EngineStatements {
  return Object.fromEntries(
    Object.entries(sql).map(([name, text]) => [name, database.prepare(text)]),
  ) as EngineStatements;
}

/** The stored record of a session. */
export interface RecordRow {
  readonly place: number;
  readonly id: Uint8Array;
  readonly cwd: Uint8Array;
  readonly additional_directories: Uint8Array;
  readonly title: Uint8Array | null;
  readonly state: Uint8Array;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The first and the last position of a session's journal. */
export interface PositionsRow {
  readonly place: number;
  readonly epoch: number;
  readonly last_seq: number;
  readonly last_epoch: number;
  readonly trimmed_seq: number;
  readonly trimmed_epoch: number;
}

/** The parts that contain the entries of one page. Every member is `null` if there are none. */
export interface PageRow {
  readonly first_seq: number | null;
  readonly last_seq: number | null;
  readonly first_epoch: number | null;
  readonly last_epoch: number | null;
  /** For each part, the size of its texts in bytes, and their CRC-32: `120 305419896,80 2596069104`. */
  readonly sums: Uint8Array | null;
  /** The texts of the entries, as in {@link PartRow}. */
  readonly texts: SqliteBlob | null;
}

/** Consecutive entries. */
export interface PartRow {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly epoch: number;
  /** The CRC-32 of `texts`. */
  readonly crc: number;
  /**
   * The texts of the entries. Line ends separate them, because the JSON of a gateway contains no line ends. A text that
   * does is stored in a part of its own.
   */
  readonly texts: SqliteBlob;
}

/** The epoch and the time of the part that contains an entry. */
export interface PartAtRow {
  readonly epoch: number;
  readonly at: number;
}

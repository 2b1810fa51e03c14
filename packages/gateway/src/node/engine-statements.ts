import type { Database, Statement } from "libsql";

/** Selects texts as bytes. libsql crashes the process when it reads a text that isn't UTF-8. A damaged file may contain one anywhere, so numbers are cast too. */
const bytes = (...names: string[]): string => names.map((name) => `CAST(${name} AS BLOB) AS ${name}`).join(", ");
const numbers = (...names: string[]): string => names.map((name) => `CAST(${name} AS INTEGER) AS ${name}`).join(", ");
const record = `${bytes("id", "cwd", "additional_directories", "title", "state")}, ${numbers("place", "created_at", "updated_at")}`;
const positions = numbers("place", "epoch", "last_seq", "last_epoch", "trimmed_seq", "trimmed_epoch");

type StatementName =
  | "create"
  | "find"
  | "list"
  | "count"
  | "positions"
  | "acquire"
  | "epochAt"
  | "page"
  | "read"
  | "trim"
  | "trimmed"
  | "deleteEntries"
  | "deleteSession";

const sql: Readonly<Record<StatementName, string>> = {
  create: `INSERT INTO sessions (scope, id, cwd, additional_directories, state, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, id) DO NOTHING`,
  find: `SELECT ${record} FROM sessions WHERE scope = ? AND id = ?`,
  list: `SELECT ${record} FROM sessions WHERE scope = ?1 AND place < ?2 AND (?3 IS NULL OR cwd = ?3) ORDER BY place DESC LIMIT ?4`,
  count: `SELECT CAST(COUNT(*) AS INTEGER) AS count FROM sessions WHERE scope = ?`,
  positions: `SELECT ${positions} FROM sessions WHERE scope = ? AND id = ?`,
  acquire: "UPDATE sessions SET epoch = epoch + 1 WHERE place = ?",
  epochAt: `SELECT ${numbers("epoch")} FROM entries WHERE session = ? AND seq = ?`,
  // Returns one row for a whole page, because each row takes more time in JavaScript than in SQLite. The page contains the first entry, whatever its size.
  page: `SELECT CAST(COUNT(*) AS INTEGER) AS count, CAST(MIN(epoch) AS INTEGER) AS first_epoch, CAST(MAX(epoch) AS INTEGER) AS last_epoch,
       CAST(group_concat(text, char(10) ORDER BY seq) AS BLOB) AS texts
     FROM (SELECT seq, epoch, text, SUM(chars) OVER (ORDER BY seq) AS sum
       FROM (SELECT seq, epoch, chars, text FROM entries WHERE session = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3))
     WHERE sum <= ?4 OR seq = ?2 + 1`,
  read: `SELECT ${numbers("seq", "epoch")}, ${bytes("text")} FROM entries WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq`,
  trim: "DELETE FROM entries WHERE session = ? AND seq <= ?",
  trimmed: "UPDATE sessions SET trimmed_seq = ?2, trimmed_epoch = ?3 WHERE place = ?1",
  deleteEntries: "DELETE FROM entries WHERE session = ?",
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

/**
 * The entries of one page. Line ends separate the texts of the entries, because the JSON of a gateway contains no line
 * ends.
 */
export interface PageRow {
  readonly count: number;
  readonly first_epoch: number | null;
  readonly last_epoch: number | null;
  readonly texts: Uint8Array | null;
}

export interface EntryRow {
  readonly seq: number;
  readonly epoch: number;
  readonly text: Uint8Array;
}

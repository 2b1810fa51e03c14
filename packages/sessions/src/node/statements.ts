import type { Database, Statement } from "libsql";

/**
 * Returns an SQL expression that reads a text column as bytes; `number` does the same for numbers. libsql aborts the
 * process when a text isn't UTF-8. SQLite files have no checksums, so any column of a damaged file may contain such a
 * text.
 */
const bytes = (expression: string): string => `CAST(${expression} AS BLOB)`;
const number = (expression: string): string => `CAST(${expression} AS INTEGER)`;

const columns = `${number("place")} AS place, ${bytes("id")} AS id, ${bytes("cwd")} AS cwd,
  ${bytes("additional_directories")} AS additional_directories, ${bytes("title")} AS title, ${bytes("created_at")} AS created_at,
  ${bytes("MAX(changed_at, COALESCE((SELECT at FROM entries WHERE session = id ORDER BY seq DESC LIMIT 1), ''))")} AS updated_at`;

/** A row of the table of sessions. */
export interface SessionRow {
  readonly place: number;
  readonly id: Uint8Array;
  readonly cwd: Uint8Array;
  readonly additional_directories: Uint8Array;
  readonly title: Uint8Array | null;
  readonly created_at: Uint8Array;
  readonly updated_at: Uint8Array;
}

/** The columns of a session that pruning needs. */
export interface UsedRow {
  readonly id: Uint8Array;
  readonly owner: Uint8Array;
  readonly holder: Uint8Array | null;
  readonly updated_at: Uint8Array;
}

/** A row of the table of entries. */
export interface EntryRow {
  readonly seq: number;
  readonly at: Uint8Array;
  readonly body: Uint8Array;
}

/** The size of an entry. */
export interface SizeRow {
  readonly seq: number;
  readonly begins: number;
  readonly bytes: number;
}

/** The process that holds a session. If a session was deleted and created again, the new row has another `place`. */
export interface HolderRow {
  readonly place: number;
  readonly holder: Uint8Array | null;
  readonly token: number;
}

type StatementName =
  | "create"
  | "exists"
  | "find"
  | "list"
  | "read"
  | "append"
  | "lastSeq"
  | "setTitle"
  | "holder"
  | "take"
  | "release"
  | "releaseAll"
  | "sizes"
  | "dropEntries"
  | "deleteEntries"
  | "deleteSession"
  | "byUse";

/** `ORDER BY entries.seq` is the column; `seq` would be the result of the `CAST`, and every row sorted. */
const sql: Readonly<Record<StatementName, string>> = {
  create:
    "INSERT INTO sessions (id, owner, cwd, additional_directories, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?)",
  exists: "SELECT 1 FROM sessions WHERE id = ?",
  find: `SELECT ${columns} FROM sessions WHERE owner = ? AND id = ?`,
  list: `SELECT ${columns} FROM sessions WHERE owner = ?1 AND place < ?2 AND (?3 IS NULL OR cwd = ?3) ORDER BY sessions.place DESC LIMIT ?4`,
  read: `SELECT ${number("seq")} AS seq, ${bytes("at")} AS at, ${bytes("body")} AS body FROM entries WHERE session = ?2 AND seq > ?3
     AND EXISTS (SELECT 1 FROM sessions WHERE owner = ?1 AND id = ?2) ORDER BY entries.seq`,
  // One statement, so that no process can take the session over between checking the token and writing.
  append: `INSERT INTO entries (session, seq, at, type, body)
     SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM sessions WHERE place = ?6 AND token = ?7)`,
  lastSeq: `SELECT ${number("COALESCE(MAX(seq), 0)")} AS seq FROM entries WHERE session = ?`,
  setTitle: "UPDATE sessions SET title = ?3, changed_at = ?4 WHERE place = ?1 AND token = ?2",
  holder: `SELECT ${number("place")} AS place, ${bytes("holder")} AS holder, ${number("token")} AS token
     FROM sessions WHERE owner = ? AND id = ?`,
  take: "UPDATE sessions SET token = token + 1, holder = ?2 WHERE place = ?1",
  release: "UPDATE sessions SET holder = NULL WHERE place = ?1 AND token = ?2",
  releaseAll: "UPDATE sessions SET holder = NULL WHERE holder = ?",
  sizes: `SELECT ${number("seq")} AS seq, type = 'prompt' AS begins, LENGTH(${bytes("body")}) AS bytes
     FROM entries WHERE session = ? ORDER BY entries.seq`,
  dropEntries: "DELETE FROM entries WHERE session = ? AND seq <= ?",
  deleteEntries: "DELETE FROM entries WHERE session = ?",
  deleteSession: "DELETE FROM sessions WHERE id = ?",
  byUse: `SELECT ${columns}, ${bytes("owner")} AS owner, ${bytes("holder")} AS holder FROM sessions ORDER BY updated_at, place`,
};

/** All statements of a store. */
export type Statements = Readonly<Record<StatementName, Statement>>;

export function prepareStatements(database: Database): Statements {
  return Object.fromEntries(Object.entries(sql).map(([name, text]) => [name, database.prepare(text)])) as Statements;
}

import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { StoreError } from "../errors.js";
import { migrate } from "./migrations.js";
import { pragma } from "./pragmas.js";
import { storeError } from "./sqlite-errors.js";
import { type StoreFormat, sessionStoreFormat } from "./store-format.js";

/** The open file of a store. */
export interface StoreFile {
  readonly database: Database.Database;
  /** @throws {StoreError} when the file was removed or replaced: later writes would be lost. */
  assertInPlace(): void;
}

/**
 * Opens the file of a store, or creates it. A file that isn't a store is not changed: the function writes nothing
 * before it knows that the file is a store.
 *
 * The function doesn't wait: if another process has locked the file, it throws SQLite's error.
 *
 * @throws {StoreError} `foreign` or `newer_format`.
 */
export function openStoreFile(path: string, format: StoreFormat = sessionStoreFormat): StoreFile {
  if (path !== ":memory:") makeFile(path);
  const database = new Database(path);
  try {
    database.exec("PRAGMA busy_timeout = 0");
    assertOurs(database, path, format);
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    migrate(database, path, format);
    if (path === ":memory:") return { database, assertInPlace: () => {} };
    makePrivate(path);
    return { database, assertInPlace: inPlace(path) };
  } catch (error) {
    database.close();
    throw (error as { readonly code?: unknown }).code === "SQLITE_NOTADB" ? foreign(path, error) : error;
  }
}

/**
 * Conversations are private: the file is created before SQLite creates one that all users may read. An existing file is not
 * opened here: closing it would release the locks that another store of this process has on it.
 */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** A file with our id, an empty one, or one created by a version before ids. */
function assertOurs(database: Database.Database, path: string, { applicationId, tablesBeforeIds }: StoreFormat): void {
  const id = pragma(database, "application_id");
  if (id === applicationId) return;
  const isEmpty = count(database, "sqlite_master") === 0 && pragma(database, "user_version") === 0;
  if (id === 0 && (isEmpty || isOlder(database, tablesBeforeIds))) return;
  throw foreign(path);
}

/** A file that was written before files had an id. */
function isOlder(database: Database.Database, tables: StoreFormat["tablesBeforeIds"]): boolean {
  if (tables === undefined || pragma(database, "user_version") < 1) return false;
  return Object.entries(tables).every(([table, columns]) => hasColumns(database, table, columns));
}

const hasColumns = (database: Database.Database, table: string, columns: readonly string[]): boolean =>
  count(database, `pragma_table_info('${table}') WHERE name IN (${columns.map((name) => `'${name}'`)})`) ===
  columns.length;

/** SQLite compares the names: libsql aborts the process when a text in a foreign file isn't UTF-8. */
function count(database: Database.Database, what: string): number {
  return (database.prepare(`SELECT COUNT(*) AS count FROM ${what}`).get() as { readonly count: number }).count;
}

function foreign(path: string, cause?: unknown): StoreError {
  const whose =
    cause === undefined ? "belongs to another program" : "is not a SQLite database, or its header is damaged";
  const message = `${path} is not a session store: it ${whose}. It was not changed; move it away, or choose another path`;
  return new StoreError("foreign", path, message, { cause });
}

function makePrivate(path: string): void {
  if ((statSync(path).mode & 0o777) !== 0o600) chmodSync(path, 0o600);
}

/** SQLite keeps writing to a removed file, and the data is lost when it is closed. */
function inPlace(path: string): () => void {
  const { dev, ino } = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.ino === ino && now.dev === dev) return;
    throw storeError("io", path, new Error("it was removed or replaced"));
  };
}

import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from "node:fs";
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
 * The function doesn't wait for locks. If another process has locked the file, it throws SQLite's error.
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
    database.exec("PRAGMA secure_delete = ON"); // a deleted text is overwritten, not only marked as free
    migrate(database, path, format);
    if (path === ":memory:") return { database, assertInPlace: () => {} };
    for (const file of [path, `${path}-wal`, `${path}-shm`]) makePrivate(file);
    return { database, assertInPlace: inPlace(path) };
  } catch (error) {
    database.close();
    throw (error as { readonly code?: unknown }).code === "SQLITE_NOTADB" ? foreign(path, error) : error;
  }
}

/**
 * Creates the file so that only its user may read it, because conversations are private; SQLite would create a file
 * that all users may read. The function does not open an existing file, because closing it would release the locks that
 * another store of this process has on the file.
 */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    accessSync(path, constants.R_OK); // libsql does not say that a file belongs to another user
  }
}

/** Checks that a file is a store: it has the format's id, is empty, or was written before there were ids. */
function assertOurs(database: Database.Database, path: string, { applicationId, tablesBeforeIds }: StoreFormat): void {
  const id = pragma(database, "application_id");
  if (id === applicationId) return;
  const isEmpty = count(database, "sqlite_master") === 0 && pragma(database, "user_version") === 0;
  if (id === 0 && (isEmpty || isOlder(database, tablesBeforeIds))) return;
  // Another process has just turned the empty file into a store
  if (pragma(database, "application_id") === applicationId) return;
  throw foreign(path);
}

/** Returns whether an old version, without ids, wrote the file. */
function isOlder(database: Database.Database, tables: StoreFormat["tablesBeforeIds"]): boolean {
  if (tables === undefined || pragma(database, "user_version") < 1) return false;
  return Object.entries(tables).every(([table, columns]) => hasColumns(database, table, columns));
}

const hasColumns = (database: Database.Database, table: string, columns: readonly string[]): boolean =>
  count(database, `pragma_table_info('${table}') WHERE name IN (${columns.map((name) => `'${name}'`)})`) ===
  columns.length;

/**
 * Counts the rows of a query. The query compares the names in the file and returns only a number, because libsql aborts
 * the process when a query returns a text that isn't UTF-8.
 */
function count(database: Database.Database, what: string): number {
  return (database.prepare(`SELECT COUNT(*) AS count FROM ${what}`).get() as { readonly count: number }).count;
}

function foreign(path: string, cause?: unknown): StoreError {
  const whose =
    cause === undefined ? "belongs to another program" : "is not a SQLite database, or its header is damaged";
  const message = `${path} is not a session store: it ${whose}. It was not changed; move it away, or choose another path`;
  return new StoreError("foreign", path, message, { cause });
}

/** Makes a file readable by its user only. SQLite gives the log beside a store the store's mode. */
function makePrivate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A user who made the file read-only keeps it so
  if (stats !== undefined && (stats.mode & 0o077) !== 0) chmodSync(path, stats.mode & 0o700);
}

/**
 * Returns a function that throws if the file was removed or replaced. SQLite would keep writing to a removed file, and
 * the data would be lost when the file is closed.
 */
function inPlace(path: string): () => void {
  const { dev, ino } = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.ino === ino && now.dev === dev) return;
    throw storeError("io", path, new Error("it was removed or replaced"));
  };
}

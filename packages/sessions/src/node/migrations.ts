import type { Database } from "libsql";
import { StoreError } from "../errors.js";
import { applicationId, pragma } from "./pragmas.js";

/**
 * The steps that upgrade a database from one format to the next: the first creates format 1 in an empty file. Never edit a
 * released step; add another one at the end, with a fixture of the previous format in `fixtures/`.
 */
export const migrations: readonly ((database: Database) => void)[] = [
  (database) =>
    database.exec(`
      CREATE TABLE sessions (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        cwd TEXT NOT NULL,
        additional_directories TEXT NOT NULL,
        title TEXT,
        created_at TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        token INTEGER NOT NULL DEFAULT 0,
        holder TEXT
      );
      CREATE INDEX sessions_by_owner ON sessions (owner, place);
      CREATE TABLE entries (
        session TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at TEXT NOT NULL,
        type TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (session, seq)
      ) WITHOUT ROWID;
    `),
];

/**
 * Upgrades a database to the newest format, and signs it as a session store. Processes that open it at the same time do so one
 * after another.
 *
 * @throws {StoreError} `newer_format` when it was written by a newer version.
 */
export function migrate(
  database: Database,
  path: string,
  steps: readonly ((database: Database) => void)[] = migrations,
): void {
  if (pragma(database, "application_id") === applicationId && formatOf(database, path, steps) === steps.length) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const step of steps.slice(formatOf(database, path, steps))) step(database);
    database.exec(`PRAGMA user_version = ${steps.length}`);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK"); // after some errors SQLite has already rolled back
    throw error;
  }
}

function formatOf(database: Database, path: string, { length }: { readonly length: number }): number {
  const format = pragma(database, "user_version");
  if (format <= length) return format;
  throw new StoreError(
    "newer_format",
    path,
    `The session store ${path} has format ${format}; this version of @acp-kit/sessions knows ${length}. Update it`,
  );
}

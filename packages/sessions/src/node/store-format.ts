import type { Database } from "libsql";
import { applicationId } from "./pragmas.js";

/** What identifies a kind of SQLite file, and the migrations from one version of its format to the next. */
export interface StoreFormat {
  /** The `application_id` in the file's header. */
  readonly applicationId: number;
  /** The functions that upgrade a file by one version each. The first migration creates version 1 in an empty file. */
  readonly migrations: readonly ((database: Database) => void)[];
  /** The tables and columns by which the library recognizes a file that an old version wrote without an id. */
  readonly tablesBeforeIds?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The migrations of a database from one format to the next. The first migration creates format 1 in an empty file.
 * Never edit a migration that was released. To change the format, add a migration at the end, and a fixture of the
 * previous format to `fixtures/`.
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

/** The format of the file of `sqliteStore`. */
export const sessionStoreFormat: StoreFormat = {
  applicationId,
  migrations,
  tablesBeforeIds: {
    sessions: ["place", "id", "owner", "cwd", "additional_directories", "changed_at", "token", "holder"],
    entries: ["session", "seq", "at", "type", "body"],
  },
};

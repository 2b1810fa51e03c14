import type { StoreFormat } from "@acp-kit/sessions/node";

/**
 * The format of the file of `sqliteEngine`. Folders and the parts of keys are stored as JSON texts, because SQLite
 * can't distinguish lone surrogates and NULs from other characters. The table of parts has row ids, because alternating
 * writes to many journals are slower without row ids. A part is a row with consecutive entries, because one row for
 * each entry would be slower to write and to read. `RecentAppends` describes `recent_appends`. `crc` is the CRC-32 of
 * its texts: the gateway sends most texts without parsing them, and SQLite itself has no checksums.
 *
 * Never edit a released migration. For a change of the format, add a migration at the end.
 */
export const journalFormat: StoreFormat = {
  applicationId: 0x61_63_70_67, // acpg
  migrations: [
    (database) =>
      database.exec(`
        CREATE TABLE sessions (
          place INTEGER PRIMARY KEY AUTOINCREMENT,
          scope TEXT NOT NULL,
          id TEXT NOT NULL,
          cwd TEXT NOT NULL,
          additional_directories TEXT NOT NULL,
          title TEXT,
          state TEXT NOT NULL,
          created_at INTEGER NOT NULL,
          updated_at INTEGER NOT NULL,
          epoch INTEGER NOT NULL DEFAULT 0,
          trimmed_seq INTEGER NOT NULL DEFAULT 0,
          trimmed_epoch INTEGER NOT NULL DEFAULT 0
        );
        CREATE UNIQUE INDEX sessions_by_id ON sessions (scope, id);
        CREATE INDEX sessions_by_scope ON sessions (scope, place);
        CREATE TABLE parts (
          session INTEGER NOT NULL,
          first_seq INTEGER NOT NULL,
          last_seq INTEGER NOT NULL,
          epoch INTEGER NOT NULL,
          at INTEGER NOT NULL,
          chars INTEGER NOT NULL,
          crc INTEGER NOT NULL,
          texts TEXT NOT NULL
        );
        CREATE UNIQUE INDEX parts_by_seq ON parts (session, last_seq);
        CREATE TABLE recent_appends (
          id INTEGER PRIMARY KEY,
          crc INTEGER NOT NULL,
          texts TEXT NOT NULL
        );
      `),
  ],
};

import type { StoreFormat } from "@acp-kit/sessions/node";

/**
 * The format of the file of `sqliteEngine`. Folders and the parts of keys are stored as JSON texts, because SQLite can't distinguish lone surrogates
 * and NULs from other characters. The table of entries has row ids, because alternating writes to many journals take 2.5 times as long without row ids.
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
          last_seq INTEGER NOT NULL DEFAULT 0,
          last_epoch INTEGER NOT NULL DEFAULT 0,
          trimmed_seq INTEGER NOT NULL DEFAULT 0,
          trimmed_epoch INTEGER NOT NULL DEFAULT 0
        );
        CREATE UNIQUE INDEX sessions_by_id ON sessions (scope, id);
        CREATE INDEX sessions_by_scope ON sessions (scope, place);
        CREATE TABLE entries (
          session INTEGER NOT NULL,
          seq INTEGER NOT NULL,
          epoch INTEGER NOT NULL,
          chars INTEGER NOT NULL,
          text TEXT NOT NULL
        );
        CREATE UNIQUE INDEX entries_by_seq ON entries (session, seq);
      `),
  ],
};

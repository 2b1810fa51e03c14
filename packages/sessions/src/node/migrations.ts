import type { Database } from "libsql";

/**
 * How a database comes from one format to the next: the first makes format 1 of an empty file. Never edit one that was released; a change
 * of the format is another one at the end, with a fixture of the format before in `fixtures/`.
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

/** The format of a file is newer than this version of the library. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

/**
 * Brings a database to the newest format. Processes that open it at the same time do so one after another.
 *
 * @throws {FormatError} when it was written by a newer version.
 */
export function migrate(database: Database, steps: readonly ((database: Database) => void)[] = migrations): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const format = formatOf(database);
    if (format > steps.length) {
      throw new FormatError(
        `The session store has format ${format}; this version of @acp-kit/sessions knows ${steps.length}. Update it.`,
      );
    }
    for (const step of steps.slice(format)) step(database);
    database.exec(`PRAGMA user_version = ${steps.length}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function formatOf(database: Database): number {
  const { user_version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  return user_version;
}

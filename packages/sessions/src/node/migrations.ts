import type { Database } from "libsql";
import { StoreError } from "../errors.js";
import { pragma } from "./pragmas.js";
import type { StoreFormat } from "./store-format.js";

/**
 * Upgrades a database to the newest format, and signs it as a session store. Processes that open it at the same time do so one
 * after another.
 *
 * @throws {StoreError} `newer_format` when it was written by a newer version.
 */
export function migrate(
  database: Database,
  path: string,
  { applicationId, migrations: steps }: Pick<StoreFormat, "applicationId" | "migrations">,
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
    `The session store ${path} has format ${format}; this version of the library supports formats up to ${length}. Update the library`,
  );
}

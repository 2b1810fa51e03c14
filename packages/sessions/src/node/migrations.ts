import type { Database } from "libsql";
import { StoreError } from "../errors.js";
import { pragma } from "./pragmas.js";
import { storeError } from "./sqlite-errors.js";
import type { StoreFormat } from "./store-format.js";

/**
 * Upgrades a database to the newest version of the format, and writes the id of the format into the header of the file.
 * Processes that open the database at the same time run this function one after another.
 *
 * @throws {StoreError} `newer_format` when a newer version of the library wrote the database; `corrupt` when its
 * version is not a version of the format.
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
  if (format < 0) throw storeError("corrupt", path, new Error(`its format is ${format}`));
  if (format <= length) return format;
  throw new StoreError(
    "newer_format",
    path,
    `The session store ${path} has format ${format}; this version of the library supports formats up to ${length}. Update the library`,
  );
}

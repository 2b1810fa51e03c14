import type { Database } from "libsql";

/** How a SQLite file says whose it is: `acps`. */
export const applicationId = 0x61_63_70_73;

/** A number that a database keeps in its header. */
export function pragma(database: Database, name: "application_id" | "user_version"): number {
  return Number((database.prepare(`PRAGMA ${name}`).get() as Record<string, unknown>)[name]);
}

import type { Database } from "libsql";

/** The id in the header of a session store's file: `acps`. */
export const applicationId = 0x61_63_70_73;

/** Returns a number in the header of a database. */
export function pragma(database: Database, name: "application_id" | "user_version"): number {
  return Number((database.prepare(`PRAGMA ${name}`).get() as Record<string, unknown>)[name]);
}

import type { Database } from "libsql";
import type { RecordPatch } from "../engine/session-record.js";
import { ManyRows } from "./many-rows.js";

/** The changes of session records in one transaction. They are written together. */
export class RecordChanges {
  readonly #rows: ManyRows;
  /** The changes by the row id of the session. */
  #patches = new Map<number, RecordPatch>();

  constructor(database: Database) {
    this.#rows = new ManyRows(
      database,
      4,
      (values) =>
        `UPDATE sessions SET state = COALESCE(new.column2, state), title = CASE WHEN new.column3 THEN new.column4 ELSE title END
           FROM (${values}) AS new WHERE place = new.column1`,
    );
  }

  /** Adds a change. The last change of each member counts. */
  add(place: number, patch: RecordPatch): void {
    if (patch.state === undefined && patch.title === undefined) return;
    this.#patches.set(place, { ...this.#patches.get(place), ...patch });
  }

  write(): void {
    if (this.#patches.size === 0) return;
    const rows = Array.from(this.#patches, ([place, { state, title }]) => [
      place,
      state ?? null,
      title !== undefined ? 1 : 0,
      title ?? null,
    ]);
    this.drop();
    this.#rows.write(rows);
  }

  /** Drops the changes of a transaction that failed. */
  drop(): void {
    if (this.#patches.size > 0) this.#patches = new Map();
  }
}

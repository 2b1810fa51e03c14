import type { Database, Statement } from "libsql";

/** The values of one row. */
export type Row = readonly (string | number | null)[];

/** The highest number of rows that one statement writes. */
const MAX_ROWS = 8;

/** Writes rows with statements for several rows, because a call of a statement takes more time than a row. */
export class ManyRows {
  /** The statements that write 1, 2, 3, … rows, in this order. */
  readonly #statements: readonly Statement[];

  /**
   * @param sqlOf creates the statement for the values of rows, for example `VALUES (?, ?), (?, ?)`.
   *
   * @param columns the number of values of a row.
   */
  constructor(database: Database, columns: number, sqlOf: (values: string) => string) {
    const row = `(${Array.from({ length: columns }, () => "?").join(", ")})`;
    const valuesOf = (count: number): string => `VALUES ${Array.from({ length: count }, () => row).join(", ")}`;
    this.#statements = Array.from({ length: MAX_ROWS }, (_, i) => database.prepare(sqlOf(valuesOf(i + 1))));
  }

  write(rows: readonly Row[]): void {
    for (let i = 0; i < rows.length; i += MAX_ROWS) {
      const some = rows.slice(i, i + MAX_ROWS);
      this.#statements[some.length - 1]?.run(...some.flat());
    }
  }
}

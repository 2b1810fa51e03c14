import type { PostgresStatement } from "./postgres-statements.js";

/** A row of the driver, in which 64-bit numbers are strings. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** The operations of PostgreSQL that the engine uses. Every promise rejects with an `EngineError`. @internal */
export interface PostgresPort {
  /** Runs one statement as a transaction. */
  run(statement: PostgresStatement, values: readonly unknown[]): Promise<readonly PostgresRow[]>;
  /** Runs a statement and, if it returns a row, a second one whose only value is a column of that row. Both are one transaction. */
  runBoth(
    first: PostgresStatement,
    values: readonly unknown[],
    second: PostgresStatement,
    column: string,
  ): Promise<readonly PostgresRow[]>;
  /** Runs the statement of a notice. Resolves when the next notice may be sent. */
  notify(statement: PostgresStatement, values: readonly unknown[]): Promise<void>;
  /** Calls `onNotice` with each notice, and `onGap` when notices may have been lost. */
  listen(onNotice: (payload: string) => void, onGap: () => void): void;
  close(): Promise<void>;
}

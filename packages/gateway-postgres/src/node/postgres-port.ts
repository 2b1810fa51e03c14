import type { PostgresStatement } from "./postgres-statements.js";

/** A row as the driver returns it: 64-bit numbers are texts. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** All that the engine needs of PostgreSQL. Every promise rejects with an `EngineError`. @internal */
export interface PostgresPort {
  /** Runs one statement as a transaction. */
  run(statement: PostgresStatement, values: readonly unknown[]): Promise<readonly PostgresRow[]>;
  /** Runs a statement and, if it returned a row, another one with a column of it as its only value: as one transaction. */
  runBoth(
    first: PostgresStatement,
    values: readonly unknown[],
    second: PostgresStatement,
    column: string,
  ): Promise<readonly PostgresRow[]>;
  /** Calls `onNotice` with each notice, and `onGap` when some may have been lost. */
  listen(onNotice: (payload: string) => void, onGap: () => void): void;
  close(): Promise<void>;
}

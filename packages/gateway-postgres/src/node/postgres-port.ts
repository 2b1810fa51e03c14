import type { PostgresStatement } from "./postgres-statements.js";

/** A row of a result. The driver returns 64-bit numbers as strings. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** The operations of PostgreSQL that the engine uses. Every promise rejects with an `EngineError`. @internal */
export interface PostgresPort {
  /** Runs one statement as a transaction. */
  run(statement: PostgresStatement, values: readonly unknown[]): Promise<readonly PostgresRow[]>;
  /**
   * Runs one statement as a transaction, on a connection that no other statement uses, so that it waits for none of
   * them. Rejects after `timeoutMs`, or earlier if the engine's own time limit is shorter.
   */
  runReserved(
    statement: PostgresStatement,
    values: readonly unknown[],
    timeoutMs: number,
  ): Promise<readonly PostgresRow[]>;
  /**
   * Runs a statement. If it returns a row, runs a second statement, whose only value is a column of that row. Both
   * statements are one transaction.
   */
  runBoth(
    first: PostgresStatement,
    values: readonly unknown[],
    second: PostgresStatement,
    column: string,
  ): Promise<readonly PostgresRow[]>;
  /** Runs the statement of a notice. Resolves when the next notice may be sent. */
  notify(statement: PostgresStatement, values: readonly unknown[]): Promise<void>;
  /** Calls `onNotice` with each notice. Calls `onGap` when notices may have been lost. */
  listen(onNotice: (payload: string) => void, onGap: () => void): void;
  close(): Promise<void>;
}

/** A migration of the data from one format to the next. */
export interface PostgresMigration {
  /**
   * The lowest format number with which a gateway can still use the data after this migration. During a roll-out, such
   * gateways may run at the same time as newer ones.
   */
  readonly oldest: number;
  /** @param schema the name of the schema, quoted. */
  readonly sql: (schema: string) => string;
}

/**
 * The tables of `postgresEngine`. The first `n` migrations create format `n`.
 *
 * Never edit a released migration. For a change of the format, add a migration at the end. A migration that only adds
 * columns with defaults, tables or indexes keeps the `oldest` of the migration before it.
 *
 * No index contains a column that appends or heartbeats change, so that PostgreSQL updates rows in place.
 */
export const postgresMigrations: readonly PostgresMigration[] = [
  {
    oldest: 1,
    sql: (schema) => `
      CREATE TABLE ${schema}.sessions (
        place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        key bytea NOT NULL UNIQUE,
        scope bytea NOT NULL,
        tenant text NOT NULL,
        username text NOT NULL,
        id text NOT NULL,
        cwd text NOT NULL,
        additional_directories text NOT NULL,
        title text,
        state text NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        holder text,
        epoch bigint NOT NULL DEFAULT 0,
        last_seq bigint NOT NULL DEFAULT 0,
        last_epoch bigint NOT NULL DEFAULT 0,
        trimmed_seq bigint NOT NULL DEFAULT 0,
        trimmed_epoch bigint NOT NULL DEFAULT 0
      ) WITH (fillfactor = 70);
      CREATE INDEX sessions_by_scope ON ${schema}.sessions (scope, place);
      CREATE TABLE ${schema}.entries (
        session bigint NOT NULL,
        seq bigint NOT NULL,
        epoch bigint NOT NULL,
        text text NOT NULL,
        PRIMARY KEY (session, seq)
      );
      CREATE TABLE ${schema}.members (
        id text PRIMARY KEY,
        until timestamptz NOT NULL
      ) WITH (fillfactor = 50);
      CREATE TABLE ${schema}.mail (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        replica text NOT NULL,
        message text NOT NULL
      );
      CREATE INDEX mail_by_replica ON ${schema}.mail (replica, id);`,
  },
];

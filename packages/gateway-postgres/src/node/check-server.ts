import { EngineError } from "@acp-kit/gateway/engine";
import type pg from "pg";
import { postgresMigrations } from "./postgres-format.js";

/** The oldest version of PostgreSQL that still receives fixes. */
export const OLDEST_VERSION = 14;

/**
 * Checks the version and the settings of a server, and that it is not a standby. A server that passes loses no
 * acknowledged data in a crash. Writes nothing.
 *
 * @throws {EngineError} `unsuitable`, with a message that says what to change.
 */
export async function checkServer(client: pg.Client, where: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name, pg_is_in_recovery() AS standby,
      current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, current_setting('server_encoding') AS encoding`,
  );
  const { version, name, standby, fsync, commit, encoding } = rows[0] as Record<string, unknown>;
  const refuse = (reason: string): never => {
    throw new EngineError("unsuitable", `PostgreSQL at ${where} ${reason}`);
  };
  if (!(Number(version) >= OLDEST_VERSION * 10_000))
    refuse(`is version ${name}: version ${OLDEST_VERSION} or newer is needed`);
  if (standby === true) refuse("is a read-only standby: use the address of its primary");
  if (fsync !== "on") refuse("may lose everything when its machine fails: set `fsync = on`");
  if (commit === "off") refuse("may lose acknowledged data in a crash: set `synchronous_commit = on`");
  if (encoding !== "UTF8") refuse(`stores texts as ${encoding}: use a database with the encoding UTF8`);
}

/**
 * Creates the tables, or migrates them to the format of this version. Gateways that start at the same time wait for
 * each other.
 *
 * @throws {EngineError} `unsuitable` for tables of a newer gateway that this version can't use. In this case, nothing
 * is written.
 */
export async function migrate(client: pg.Client, schema: string, where: string): Promise<void> {
  const name = `"${schema}"`;
  if ((await formatOf(client, schema, where)) >= postgresMigrations.length) return;
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`acp-kit ${schema}`]);
    // Read after the lock, because another gateway may have migrated the tables
    const format = await formatOf(client, schema, where);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${name}.format (version int NOT NULL, oldest int NOT NULL)`);
    for (const { sql } of postgresMigrations.slice(format)) await client.query(sql(name));
    const oldest = postgresMigrations.at(-1)?.oldest;
    if (format === 0)
      await client.query(`INSERT INTO ${name}.format VALUES ($1, $2)`, [postgresMigrations.length, oldest]);
    else await client.query(`UPDATE ${name}.format SET version = $1, oldest = $2`, [postgresMigrations.length, oldest]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {}); // the caller gets the error of the migration
    throw error;
  }
}

/** Returns the number of the tables' format; 0 if there are no tables. */
async function formatOf(client: pg.Client, schema: string, where: string): Promise<number> {
  // `to_regclass()` can't be used: in a running transaction, it may not find a table that another transaction has just
  // created.
  const known = await client.query(
    "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'format'",
    [schema],
  );
  if (known.rows.length === 0) return 0;
  const { rows } = await client.query(`SELECT version, oldest FROM "${schema}".format`);
  const { version = 0, oldest = 0 } = (rows[0] ?? {}) as { readonly version?: number; readonly oldest?: number };
  if (oldest > postgresMigrations.length)
    throw new EngineError(
      "unsuitable",
      `PostgreSQL at ${where} has sessions in format ${version}, which only gateways of format ${oldest} or later can read; this gateway has format ${postgresMigrations.length}: install a newer version`,
    );
  return version;
}

import { type Engine, EngineError, isEngineError } from "@acp-kit/gateway";
import pg from "pg";
import { checkServer, migrate } from "./check-server.js";
import { PostgresEngine } from "./postgres-engine.js";
import { postgresFailure, stateOf } from "./postgres-failure.js";
import { configOf, type PostgresAddress, PostgresLink } from "./postgres-link.js";

/** How a PostgreSQL engine runs. */
export interface PostgresEngineOptions {
  /** `postgres://[user[:password]@]host[:port]/database`, with the parameters of libpq that `pg` knows, such as `sslmode`. */
  readonly url: string;
  /** The schema of the tables; it is made where it doesn't exist. Default `"acp_kit"`. */
  readonly schema?: string;
  /** How long a statement, or a connection, may take, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
  /** Connections for statements; one more only listens. Default 8. */
  readonly connections?: number;
}

/**
 * Sessions in PostgreSQL, for gateways of any number of processes and machines.
 *
 * The server has to be PostgreSQL 14 or newer, with `fsync` and `synchronous_commit` on: both are checked before anything is written. What was
 * appended survives crashes and power cuts; with a synchronous standby, it survives a failover, too. Notices need connections that last: not
 * those of a pooler that changes them between transactions.
 *
 * @throws {TypeError} when the URL is none of PostgreSQL, or the schema is no plain name.
 * @throws {EngineError} `unavailable` when the server can't be reached; `unsuitable` when it does not accept the user or password, has the wrong
 * version or settings, or tables of a newer gateway. Messages never contain the password.
 */
export async function postgresEngine(options: PostgresEngineOptions): Promise<Engine> {
  const { url, schema = "acp_kit", timeoutMs = 5_000, connections = 8 } = options;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new TypeError(
      "The schema of a PostgreSQL engine must be a name of lower-case letters, digits and underscores",
    );
  const address: PostgresAddress = { url, where: whereOf(url), timeoutMs, connections };
  const client = new pg.Client(configOf(address));
  client.on("error", () => {}); // the statement that runs rejects
  try {
    await client.connect();
    await checkServer(client, address.where);
    await migrate(client, schema, address.where);
  } catch (error) {
    throw openFailure(error, address);
  } finally {
    void client.end().catch(() => {});
  }
  const link = new PostgresLink(address, `"${schema}"`);
  try {
    await link.open();
    return new PostgresEngine(link, schema);
  } catch (error) {
    await link.close();
    throw error;
  }
}

function whereOf(url: string): string {
  if (!URL.canParse(url))
    throw new TypeError("The URL of PostgreSQL can't be read: it looks like postgres://user@host:5432/database");
  const { protocol, hostname, port, pathname } = new URL(url);
  if ((protocol !== "postgres:" && protocol !== "postgresql:") || hostname === "")
    throw new TypeError("The URL of PostgreSQL must begin with postgres:// and name a host");
  return `${hostname}:${port || "5432"}${pathname}`;
}

function openFailure(error: unknown, { where }: PostgresAddress): EngineError {
  if (isEngineError(error)) return error;
  const state = stateOf(error) ?? "";
  const unsuitable = (reason: string): EngineError =>
    new EngineError("unsuitable", `PostgreSQL at ${where} ${reason}`, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  if (state.startsWith("28") || message.includes("password must be a string"))
    return unsuitable("does not accept the user or password of the URL");
  if (state === "3D000") return unsuitable("has no such database: create it first");
  if (state === "42501") return unsuitable(`does not let this user make or use the tables: ${message}`);
  return postgresFailure(error, where);
}

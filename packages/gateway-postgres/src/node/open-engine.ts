import { type Engine, EngineError, isEngineError } from "@acp-kit/gateway/engine";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import pg from "pg";
import { checkServer, migrate } from "./check-server.js";
import { PostgresEngine } from "./postgres-engine.js";
import { postgresFailure, stateOf } from "./postgres-failure.js";
import { configOf, type PostgresAddress, PostgresLink } from "./postgres-link.js";

/** Options of {@link postgresEngine}. */
export interface PostgresEngineOptions {
  /**
   * `postgres://[user[:password]@]host[:port]/database`, with the parameters of libpq that `pg` knows, such as
   * `sslmode`.
   */
  readonly url: string;
  /** The schema of the tables. It is created if it doesn't exist. Default `"acp_kit"`. */
  readonly schema?: string;
  /** The time limit of a statement, and of opening a connection, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
  /**
   * The maximum number of connections for statements. One more connection renews the membership of the gateway, and one
   * listens for notices. Default 8.
   */
  readonly connections?: number;
}

/**
 * Opens an engine that stores sessions in PostgreSQL. Gateways in any number of processes and on any number of machines
 * can share the data.
 *
 * The server must be PostgreSQL 14 or newer, with `fsync` and `synchronous_commit` on. The function checks this before
 * it writes. Acknowledged entries survive crashes and power failures. With a synchronous standby, they also survive a
 * failover. The engine uses `LISTEN` and `NOTIFY`, which work only if a connection stays the same between transactions.
 * A connection pooler must therefore run in session mode.
 *
 * @throws {TypeError} when the URL is not a URL of PostgreSQL, or the schema is not a plain name.
 * @throws {EngineError} `unavailable` when the server can't be reached; `unsuitable` when it does not accept the user
 * or password, has the wrong version or settings, or tables of a newer gateway. Messages never contain the password.
 */
export async function postgresEngine(options: PostgresEngineOptions): Promise<Engine> {
  checkOptions("postgresEngine", options, optionKinds);
  const { url, schema = "acp_kit", timeoutMs = 5_000, connections = 8 } = options;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new TypeError(
      "The schema of a PostgreSQL engine must be a name of lower-case letters, digits and underscores",
    );
  const address: PostgresAddress = { url, where: whereOf(url), timeoutMs, connections };
  const client = new pg.Client(configOf(address));
  client.on("error", () => {}); // the running statement rejects with the error
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

const optionKinds: OptionKinds<PostgresEngineOptions> = {
  url: "value!",
  schema: "value",
  timeoutMs: "value",
  connections: "value",
};

function whereOf(url: string): string {
  if (!URL.canParse(url))
    throw new TypeError(
      "The URL of PostgreSQL is not valid. Expected a URL such as postgres://user@host:5432/database",
    );
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

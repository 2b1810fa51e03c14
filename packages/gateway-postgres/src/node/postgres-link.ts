import { setTimeout as sleep } from "node:timers/promises";
import { EngineError } from "@acp-kit/gateway/engine";
import pg from "pg";
import { postgresFailure } from "./postgres-failure.js";
import type { PostgresPort, PostgresRow } from "./postgres-port.js";
import type { PostgresStatement } from "./postgres-statements.js";

/** The address of a server, and the limits of its connections. */
export interface PostgresAddress {
  readonly url: string;
  /** The address for messages, without the password. */
  readonly where: string;
  /** The time limit of a statement, and of opening a connection, in milliseconds. */
  readonly timeoutMs: number;
  readonly connections: number;
}

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;
/** The interval at which the connection for notices is tested, in milliseconds. */
const PING_MS = 10_000;
/**
 * The pause after a notice, in milliseconds. A notice needs a transaction and is sent to every replica, so one notice
 * contains all changes during the pause.
 */
const NOTICE_PAUSE_MS = 5;

/**
 * Accesses PostgreSQL over a pool of connections, one more connection for reserved statements, and one for notices.
 * Replaces lost connections.
 */
export class PostgresLink implements PostgresPort {
  readonly #address: PostgresAddress;
  readonly #channel: string;
  readonly #pool: pg.Pool;
  readonly #reserved: pg.Pool;
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onNotice: (payload: string) => void = () => {};
  #onGap: () => void = () => {};
  #isClosed = false;

  /** @param channel the channel of notices, quoted. */
  constructor(address: PostgresAddress, channel: string) {
    this.#address = address;
    this.#channel = channel;
    this.#pool = new pg.Pool({ ...configOf(address), max: address.connections });
    this.#reserved = new pg.Pool({ ...configOf(address), max: 1 });
    for (const pool of [this.#pool, this.#reserved]) {
      pool.on("error", ignore); // an idle connection was lost: the next statement uses another one
      // The running statement, or the next one, rejects with the error
      pool.on("connect", (client) => client.on("error", ignore));
    }
  }

  /** Opens the first connection. */
  async open(): Promise<void> {
    await this.#use(this.#pool, (client) => client.query("SELECT 1"));
  }

  run({ name, text }: PostgresStatement, values: readonly unknown[]): Promise<readonly PostgresRow[]> {
    return this.#use(
      this.#pool,
      async (client) => (await client.query({ name, text, values: [...values] })).rows as PostgresRow[],
    );
  }

  runReserved(
    { name, text }: PostgresStatement,
    values: readonly unknown[],
    timeoutMs: number,
  ): Promise<readonly PostgresRow[]> {
    const query: pg.QueryConfig & { query_timeout: number } = {
      name,
      text,
      values: [...values],
      query_timeout: Math.min(timeoutMs, this.#address.timeoutMs),
    };
    return this.#use(this.#reserved, async (client) => (await client.query(query)).rows as PostgresRow[]);
  }

  runBoth(
    first: PostgresStatement,
    values: readonly unknown[],
    second: PostgresStatement,
    column: string,
  ): Promise<readonly PostgresRow[]> {
    return this.#use(this.#pool, async (client) => {
      await client.query("BEGIN");
      const rows = (await client.query({ ...first, values: [...values] })).rows as PostgresRow[];
      const [row] = rows;
      if (row !== undefined) await client.query({ ...second, values: [row[column]] });
      await client.query("COMMIT");
      return rows;
    });
  }

  async notify(statement: PostgresStatement, values: readonly unknown[]): Promise<void> {
    await this.run(statement, values);
    await sleep(NOTICE_PAUSE_MS, undefined, { ref: false });
  }

  listen(onNotice: (payload: string) => void, onGap: () => void): void {
    this.#onNotice = onNotice;
    this.#onGap = onGap;
    this.#listen(FIRST_PAUSE_MS);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    void this.#listener?.end().catch(() => {});
    // Not awaited, because statements on a frozen server never end
    for (const pool of [this.#pool, this.#reserved]) void pool.end().catch(() => {});
  }

  /** Runs `work` with a connection. A connection is not reused after a failure, because its state is unknown. */
  async #use<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const { where } = this.#address;
    if (this.#isClosed) throw new EngineError("closed", `The connection to PostgreSQL at ${where} is closed`);
    let client: pg.PoolClient | undefined;
    let failure: Error | undefined;
    try {
      client = await pool.connect();
      return await work(client);
    } catch (error) {
      failure = error as Error;
      throw postgresFailure(error, where);
    } finally {
      client?.release(failure);
    }
  }

  #listen(pauseMs: number): void {
    if (this.#isClosed) return;
    const client = new pg.Client(configOf(this.#address));
    this.#listener = client;
    let isOver = false;
    const again = (nextMs: number): void => {
      if (isOver || this.#isClosed) return;
      isOver = true;
      clearTimeout(this.#timer);
      void client.end().catch(() => {});
      this.#timer = setTimeout(() => this.#listen(nextMs), nextMs * (0.5 + Math.random() / 2));
    };
    const ping = (): void => {
      this.#timer = setTimeout(() => client.query("SELECT 1").then(ping, () => again(FIRST_PAUSE_MS)), PING_MS);
      this.#timer.unref();
    };
    client.on("error", () => again(FIRST_PAUSE_MS));
    client.on("end", () => again(FIRST_PAUSE_MS));
    client.on("notification", ({ payload }) => this.#onNotice(payload ?? ""));
    client
      .connect()
      .then(() => client.query(`LISTEN ${this.#channel}`))
      .then(
        () => {
          ping();
          this.#onGap();
        },
        () => again(Math.min(pauseMs * 2, LAST_PAUSE_MS)),
      );
  }
}

/** The configuration of one connection. The server also ends a statement that takes too long. */
export function configOf({ url, timeoutMs }: PostgresAddress): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "acp-kit",
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    keepAlive: true,
  };
}

const ignore = (): void => {};

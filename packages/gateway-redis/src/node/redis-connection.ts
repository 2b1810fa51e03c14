import { EngineError } from "@acp-kit/gateway/engine";
import { createClient } from "@redis/client";
import { isReply, redisFailure } from "./redis-failure.js";

/** The address of a server and the time limit of its commands. */
export interface RedisAddress {
  readonly url: string;
  /** The address for messages, without the password. */
  readonly where: string;
  /** The time limit of a command, and of opening a connection, in milliseconds. */
  readonly timeoutMs: number;
}

/** The part of the client of the library `redis` that this package uses. */
export interface RedisClient {
  connect(): Promise<unknown>;
  sendCommand(words: readonly string[]): Promise<unknown>;
  subscribe(channel: string, onMessage: (message: string, channel: string) => void): Promise<unknown>;
  unsubscribe(channel: string, onMessage: (message: string, channel: string) => void): Promise<unknown>;
  on(event: "error" | "terminated", listener: () => void): unknown;
  destroy(): void;
}

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;

/**
 * A connection to Redis. The object connects again when the connection is lost or when a command takes too long,
 * because a frozen server, or a network that drops packets, would block the connection for minutes.
 */
export class RedisConnection {
  readonly #address: RedisAddress;
  readonly #onReady: (client: RedisClient) => void;
  #client: RedisClient | undefined;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  /** @param onReady called with every new client, once it is connected. */
  constructor(address: RedisAddress, onReady: (client: RedisClient) => void = () => {}) {
    this.#address = address;
    this.#onReady = onReady;
  }

  /** Connects for the first time. Rejects with the library's error. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** The connected client; `undefined` without a connection. */
  get client(): RedisClient | undefined {
    return this.#client;
  }

  /**
   * Runs `work` with the client. Rejects with an `EngineError`, which is `unavailable` when the work takes too long.
   */
  async use<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
    const { where, timeoutMs } = this.#address;
    const client = this.#client;
    if (client === undefined) throw new EngineError("unavailable", `There is no connection to Redis at ${where}`);
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new EngineError("unavailable", `Redis at ${where} did not reply within ${timeoutMs} ms`));
        this.#drop(client);
      }, timeoutMs);
    });
    try {
      return await Promise.race([work(client), tooLate]);
    } catch (error) {
      // The server is now a read-only replica: a new connection may reach the new primary
      if (isReply(error, "READONLY")) this.#drop(client);
      throw redisFailure(error, where);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#client?.destroy();
    this.#client = undefined;
  }

  async #connect(): Promise<void> {
    const { url, timeoutMs, where } = this.#address;
    const client = newClient(url, timeoutMs);
    client.on("error", () => {}); // pending commands reject, and "terminated" follows
    client.on("terminated", () => this.#drop(client));
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${where} did not respond within ${timeoutMs} ms`)), timeoutMs);
    });
    const connected = client.connect();
    connected.catch(() => {}); // after the timeout, no other code handles its rejection
    try {
      await Promise.race([connected, tooLate]);
    } catch (error) {
      client.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    if (this.#isClosed) return client.destroy();
    this.#client = client;
    this.#onReady(client);
  }

  #drop(client: RedisClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.destroy();
    this.#reconnect(FIRST_PAUSE_MS);
  }

  #reconnect(pauseMs: number): void {
    if (this.#isClosed) return;
    this.#retry = setTimeout(
      () => {
        this.#connect().catch(() => this.#reconnect(Math.min(pauseMs * 2, LAST_PAUSE_MS)));
      },
      pauseMs * (0.5 + Math.random() / 2),
    );
  }
}

function newClient(url: string, timeoutMs: number): RedisClient {
  return createClient({
    url,
    socket: { connectTimeout: timeoutMs, reconnectStrategy: false },
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: "disabled",
  });
}

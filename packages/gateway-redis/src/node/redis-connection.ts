import { EngineError } from "@acp-kit/gateway";
import { createClient } from "@redis/client";
import { isReply, redisFailure } from "./redis-failure.js";

/** Where a server is, and how long it may take. */
export interface RedisAddress {
  readonly url: string;
  /** The address in messages, without a password. */
  readonly where: string;
  /** How long a command, or a connection, may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** What is used of the library's client. */
export interface RedisClient {
  connect(): Promise<unknown>;
  sendCommand(words: readonly string[]): Promise<unknown>;
  subscribe(channel: string, onMessage: () => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  on(event: "error" | "terminated", listener: () => void): unknown;
  destroy(): void;
}

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;

/**
 * One connection that is made again whenever it is lost, or a command takes too long: a server that was frozen, or a network that drops
 * packets, would keep a connection busy for minutes.
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

  /** The client, if it is connected. */
  get client(): RedisClient | undefined {
    return this.#client;
  }

  /** Does something with the client. Rejects with an `EngineError`; `unavailable` when it takes too long. */
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
      if (isReply(error, "READONLY")) this.#drop(client); // it is a replica now: the address may lead to the new primary
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
    client.on("error", () => {}); // its commands reject, and "terminated" follows
    client.on("terminated", () => this.#drop(client));
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${where} did not respond within ${timeoutMs} ms`)), timeoutMs);
    });
    const connected = client.connect();
    connected.catch(() => {}); // also when it is too late
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

  /** Ends a client whose connection is of no use any more, and makes another. */
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

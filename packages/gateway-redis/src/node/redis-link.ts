import { EngineError } from "@acp-kit/gateway/engine";
import { type RedisAddress, type RedisClient, RedisConnection } from "./redis-connection.js";
import { isReply } from "./redis-failure.js";
import type { RedisPort } from "./redis-port.js";
import type { RedisScript } from "./redis-scripts.js";

/**
 * Two connections to Redis, one for commands and one for subscriptions. If a connection is lost, it is opened again.
 */
export class RedisLink implements RedisPort {
  readonly #commands: RedisConnection;
  readonly #messages: RedisConnection;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** The only listener of the library. */
  readonly #onMessage = (_message: string, channel: string): void => this.#notify(channel);
  readonly #where: string;
  #isClosed = false;

  private constructor(address: RedisAddress) {
    this.#where = address.where;
    this.#commands = new RedisConnection(address);
    this.#messages = new RedisConnection(address, (client) => {
      for (const channel of this.#listeners.keys()) this.#subscribe(client, channel);
    });
  }

  /** Opens both connections. Rejects with the library's error. */
  static async open(address: RedisAddress): Promise<RedisLink> {
    const link = new RedisLink(address);
    try {
      await link.#commands.open();
      await link.#messages.open();
      return link;
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    return this.#use((client) =>
      client.sendCommand(["EVALSHA", script.sha, ...rest]).catch((error: unknown) => {
        if (!isReply(error, "NOSCRIPT")) throw error;
        return client.sendCommand(["EVAL", script.text, ...rest]); // EVAL loads the script into the server's cache
      }),
    );
  }

  command(...words: readonly string[]): Promise<unknown> {
    return this.#use((client) => client.sendCommand(words));
  }

  subscribe(channel: string, onMessage: () => void): () => void {
    // A new function for each call, because a set holds the same function only once
    const listener = (): void => onMessage();
    const known = this.#listeners.get(channel);
    const listeners = known ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    const { client } = this.#messages;
    if (client !== undefined) {
      if (known === undefined) this.#subscribe(client, channel);
      else queueMicrotask(() => listeners.has(listener) && listener());
    }
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      // Without its listener, the library would lose a subscription to the same channel that begins before the reply.
      // A lost connection has no subscriptions
      this.#messages.client?.unsubscribe(channel, this.#onMessage).catch(() => {});
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#commands.close();
    this.#messages.close();
  }

  async #use<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new EngineError("closed", `The connection to Redis at ${this.#where} is closed`);
    return this.#commands.use(work);
  }

  #subscribe(client: RedisClient, channel: string): void {
    // It fails only if the connection is lost. The next connection subscribes again.
    client.subscribe(channel, this.#onMessage).then(
      () => this.#notify(channel),
      () => {},
    );
  }

  #notify(channel: string): void {
    const listeners = this.#listeners.get(channel);
    for (const listener of [...(listeners ?? [])]) if (listeners?.has(listener)) listener();
  }
}

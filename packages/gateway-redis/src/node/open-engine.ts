import { type Engine, EngineError } from "@acp-kit/gateway/engine";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { checkServer, writeFormat } from "./check-server.js";
import type { RedisAddress } from "./redis-connection.js";
import { RedisEngine } from "./redis-engine.js";
import { isReply, redisFailure } from "./redis-failure.js";
import { RedisKeys } from "./redis-keys.js";
import { RedisLink } from "./redis-link.js";

/** Options of {@link redisEngine}. */
export interface RedisEngineOptions {
  /** `redis://[[user]:password@]host[:port][/database]`, or `rediss:` with TLS. */
  readonly url: string;
  /** The prefix of every key and channel. Default `"acp-kit"`. */
  readonly prefix?: string;
  /** The time limit of a command, and of opening a connection, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
}

/**
 * Opens an engine that stores sessions in Redis. Gateways in any number of processes and on any number of machines can
 * share the data.
 *
 * The server must be Redis 7 or newer, with `appendonly yes` and `maxmemory-policy noeviction`. The function checks
 * this before it writes. Acknowledged entries survive a crash of the server's process. With `appendfsync everysec`, a
 * power failure may lose the entries of the last second. A failover to a replica of the server may lose the entries
 * that the replica has not received.
 *
 * @throws {TypeError} when the URL is not a URL of Redis.
 * @throws {EngineError} `unavailable` when the server can't be reached; `unsuitable` when it does not accept the
 * password, when its version or its settings are wrong, or when it contains sessions in the format of a newer gateway.
 * Messages never contain the password.
 */
export async function redisEngine(options: RedisEngineOptions): Promise<Engine> {
  checkOptions("redisEngine", options, optionKinds);
  const { url, prefix = "acp-kit", timeoutMs = 5_000 } = options;
  const address = addressOf(url, timeoutMs);
  const keys = new RedisKeys(prefix);
  const link = await RedisLink.open(address).catch((error: unknown) => {
    throw openFailure(error, address);
  });
  try {
    await checkServer(link, keys, address.where);
    await writeFormat(link, keys);
    return new RedisEngine(link, prefix);
  } catch (error) {
    await link.close();
    throw error;
  }
}

const optionKinds: OptionKinds<RedisEngineOptions> = { url: "value!", prefix: "value", timeoutMs: "value" };

function addressOf(url: string, timeoutMs: number): RedisAddress {
  if (!URL.canParse(url))
    throw new TypeError("The URL of Redis is not valid. Expected a URL such as redis://host:6379");
  const { protocol, hostname, port, pathname } = new URL(url);
  if ((protocol !== "redis:" && protocol !== "rediss:") || hostname === "")
    throw new TypeError("The URL of Redis must begin with redis:// or rediss:// and name a host");
  if (!/^\/?\d*$/.test(pathname)) throw new TypeError("The path in the URL of Redis must be the number of a database");
  return { url, where: `${hostname}:${port || "6379"}`, timeoutMs };
}

function openFailure(error: unknown, { where }: RedisAddress): EngineError {
  if (isReply(error, "WRONGPASS", "NOAUTH"))
    return new EngineError("unsuitable", `Redis at ${where} does not accept the user or password of the URL`, {
      cause: error,
    });
  if (isReply(error, "ERR"))
    return new EngineError("unsuitable", `Redis at ${where} refuses the connection: ${error.message}`, {
      cause: error,
    });
  return redisFailure(error, where);
}

import { EngineError } from "@acp-kit/gateway/engine";
import { isReply } from "./redis-failure.js";
import type { RedisKeys } from "./redis-keys.js";
import type { RedisPort } from "./redis-port.js";

/** The oldest version of Redis that supports the flags of the scripts. */
export const OLDEST_MAJOR = 7;

/** The format that this version writes. A gateway refuses a format that only newer gateways can read. */
export const FORMAT = 1;

/**
 * Checks that the settings of a server make it keep acknowledged data. Writes nothing.
 *
 * @throws {EngineError} `unsuitable`, with a message that says which setting to change.
 */
export async function checkServer(port: RedisPort, keys: RedisKeys, where: string): Promise<void> {
  const info = await infoOf(port, where);
  const refuse = (reason: string): never => {
    throw new EngineError("unsuitable", `Redis at ${where} ${reason}`);
  };
  const version = info.get("redis_version") ?? "unknown";
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR))
    refuse(`is version ${version}: version ${OLDEST_MAJOR} or newer is needed`);
  if (info.get("role") === "slave") refuse("is a read-only replica: use the address of its primary");
  if (info.get("aof_enabled") !== "1") refuse("would lose the sessions when it restarts: set `appendonly yes`");
  const policy = info.get("maxmemory_policy") ?? "unknown";
  if (policy !== "noeviction")
    refuse(`drops data when its memory is full (${policy}): set \`maxmemory-policy noeviction\``);
  const [format, oldest] = (await port.command("HMGET", keys.format, "version", "oldest")) as (string | null)[];
  if (oldest != null && !(Number(oldest) <= FORMAT))
    refuse(
      `has sessions in format ${format}, which only gateways of format ${oldest} or later can read; this gateway has format ${FORMAT}: install a newer version`,
    );
}

/** Writes the number of the format, unless the server already contains one. */
export async function writeFormat(port: RedisPort, keys: RedisKeys): Promise<void> {
  await port.command("HSETNX", keys.format, "version", `${FORMAT}`);
  await port.command("HSETNX", keys.format, "oldest", `${FORMAT}`);
}

async function infoOf(port: RedisPort, where: string): Promise<ReadonlyMap<string, string>> {
  try {
    const text = String(await port.command("INFO"));
    return new Map(
      text.split("\r\n").flatMap((line) => {
        const at = line.indexOf(":");
        return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : [];
      }),
    );
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (isReply(cause, "NOAUTH"))
      throw new EngineError("unsuitable", `Redis at ${where} needs a password: put it into the URL`, { cause });
    if (isReply(cause, "NOPERM"))
      throw new EngineError(
        "unsuitable",
        `Redis at ${where} does not let this user run INFO, which shows its settings: allow it`,
        { cause },
      );
    throw error;
  }
}

import type { StoredMail } from "@acp-kit/gateway/engine";
import type { RedisPort } from "./redis-port.js";

/** Returns the stored messages to a replica, which are in a stream. */
export function redisMail(port: RedisPort, stream: string): StoredMail {
  return {
    read: async (limit) => {
      const reply = await port.command("XRANGE", stream, "-", "+", "COUNT", `${limit}`);
      const entries = reply as readonly (readonly [string, readonly [string, string]])[];
      return entries.map(([id, [, message]]) => ({ id, message }));
    },
    remove: (ids) => port.command("XDEL", stream, ...ids),
  };
}

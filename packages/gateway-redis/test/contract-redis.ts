import type { ContractEngine } from "@acp-kit/gateway/contract";
import { createClient } from "@redis/client";
import { redisEngine } from "../src/node/index.js";

let prefixes = 0;

/**
 * Two engines on a server, with a prefix of their own. The server's clock can't be moved: `advance` moves all stored
 * times back instead.
 */
export async function contractRedis(url: string): Promise<ContractEngine> {
  const prefix = `contract-${++prefixes}`;
  const [engine, other] = await Promise.all([redisEngine({ url, prefix }), redisEngine({ url, prefix })]);
  const client = createClient({ url, RESP: 2 });
  await client.connect();
  return {
    engine,
    other,
    advance: async (ms) => {
      for (const key of (await client.sendCommand(["KEYS", `${prefix}:*`])) as unknown as string[]) {
        if (key.endsWith(":member")) await client.pExpire(key, Math.max(0, (await client.pTTL(key)) - ms));
        if (!key.endsWith(":session")) continue;
        await client.hIncrBy(key, "created", -ms);
        await client.hIncrBy(key, "updated", -ms);
      }
    },
    dispose: async () => {
      client.destroy();
      await engine.close();
      await other.close();
    },
  };
}

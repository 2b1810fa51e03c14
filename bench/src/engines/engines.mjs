// The engines of the gateway, and bare prototypes of the same operations, behind one small interface:
// append(session, first, texts), read(session, after, count), renew(), close().
import { memoryEngine } from "@acp-kit/gateway";
import { sqliteEngine } from "@acp-kit/gateway/node";
import { postgresEngine } from "@acp-kit/gateway-postgres";
import { redisEngine } from "@acp-kit/gateway-redis";
import { barePostgres } from "./bare-postgres.mjs";
import { bareRedis } from "./bare-redis.mjs";

const scope = { tenant: "bench", user: "bench" };

async function through(engine, sessions) {
  const member = await engine.join({ id: `${process.pid}-${performance.now()}`, ttlMs: 60_000, onMessage() {} });
  const leases = new Map();
  for (let at = 0; at < sessions.length; at += 100)
    await Promise.all(
      sessions.slice(at, at + 100).map(async (sessionId) => {
        await engine.create(scope, { sessionId, cwd: "/work", additionalDirectories: [], state: "{}" });
        leases.set(sessionId, (await member.acquire({ scope, sessionId })).lease);
      }),
    );
  const positions = new Map();
  return {
    append: (session, first, texts) => member.append(leases.get(session), first, texts),
    async read(session, after, count) {
      const from = after === 0 ? undefined : positions.get(session);
      const page = await engine.read({ scope, sessionId: session }, from, { maxEntries: count, maxChars: 1_048_576 });
      const last = page.entries.at(-1);
      if (last !== undefined) positions.set(session, { seq: last.seq, epoch: last.epoch });
      return page.entries.length;
    },
    renew: () => member.renew(),
    close: () => engine.close(),
  };
}

export async function open(name, url, sessions) {
  switch (name) {
    case "memory":
      return through(memoryEngine(), sessions);
    case "sqlite":
      return through(sqliteEngine({ path: url }), sessions);
    case "redis":
      return through(await redisEngine({ url }), sessions);
    case "postgres":
      return through(await postgresEngine({ url }), sessions);
    case "bare-redis":
      return bareRedis(url);
    case "bare-postgres":
      return barePostgres(url);
  }
}

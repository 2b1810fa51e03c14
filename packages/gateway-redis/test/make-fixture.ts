// Writes the commands that create the keys of the newest format to `fixtures`, for tests of later versions. Run it
// once, before the format is released: `tsx packages/gateway-redis/test/make-fixture.ts`.
import { mkdirSync, writeFileSync } from "node:fs";
import { startRedis } from "@acp-kit/servers";
import { createClient } from "@redis/client";
import { redisEngine } from "../src/node/index.js";

const server = await startRedis();
try {
  const engine = await redisEngine({ url: server.url });
  const scope = { tenant: "t", user: "ann" };
  const key = { scope, sessionId: "saved" };
  await engine.create(scope, {
    sessionId: "saved",
    cwd: "/work",
    additionalDirectories: ["/more"],
    state: '{"turn":null}',
  });
  const member = await engine.join({ id: "old", ttlMs: 1, onMessage: () => {} });
  const held = await member.acquire(key);
  if (held.is !== "held") throw new Error(held.is);
  const texts = ["first", "second", "third"].map((type) => JSON.stringify({ type }));
  await member.append(held.lease, 1, texts, { title: "A title" });
  await member.trim(held.lease, 2);
  await member.append(held.lease, 4, ['{"type":"fourth"}', '{\n"type":"fifth"}']);
  await engine.close();
  const client = createClient({ url: server.url, RESP: 2 });
  await client.connect();
  const send = (...words: string[]): Promise<never> => client.sendCommand(words) as Promise<never>;
  const commands: string[][] = [];
  for (const name of [...(await client.keys("*"))].sort()) {
    const type = await client.type(name);
    if (type === "hash") commands.push(["HSET", name, ...((await send("HGETALL", name)) as string[])]);
    else if (type === "string") commands.push(["SET", name, (await send("GET", name)) as string]);
    else if (type === "zset") {
      const members: string[] = await send("ZRANGE", name, "0", "-1", "WITHSCORES");
      for (let at = 0; at < members.length; at += 2)
        commands.push(["ZADD", name, members[at + 1] as string, members[at] as string]);
    } else if (type === "stream") {
      const parts: [string, string[]][] = await send("XRANGE", name, "-", "+");
      for (const [id, fields] of parts) commands.push(["XADD", name, id, ...fields]);
    } else throw new TypeError(`${name} is a ${type}`);
  }
  const version = await client.hGet("acp-kit:format", "version");
  client.destroy();
  const folder = new URL("fixtures/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`format-${version}.json`, folder), `${JSON.stringify(commands, undefined, 2)}\n`);
} finally {
  await server.stop();
}

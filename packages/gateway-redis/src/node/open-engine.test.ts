import { readFileSync } from "node:fs";
import { redisProgram, startRedis } from "@acp-kit/servers";
import { createClient } from "@redis/client";
import { describe, expect, test } from "vitest";
import { redisEngine } from "./index.js";

describe("a URL that is not a URL of Redis", () => {
  test.each(["", "localhost:6379", "http://localhost", "redis://", "redis://host/path"])("%s", async (url) => {
    await expect(redisEngine({ url })).rejects.toBeInstanceOf(TypeError);
  });
});

describe.skipIf(redisProgram() === undefined)("a server that is refused (needs redis-server)", () => {
  test.each([
    ["does not persist its data", ["--appendonly", "no"], "appendonly yes"],
    ["evicts keys", ["--maxmemory-policy", "allkeys-lru"], "maxmemory-policy noeviction"],
    ["is a replica", ["--replicaof", "127.0.0.1 1"], "use the address of its primary"],
  ])("because it %s", async (_, words, message) => {
    const server = await startRedis(words);
    await expect(redisEngine({ url: server.url })).rejects.toMatchObject({
      name: "EngineError",
      code: "unsuitable",
      message: expect.stringContaining(message),
    });
    expect(await keysOf(server.url)).toEqual([]);
    await server.stop();
  });

  test("because it rejects the password, which no message contains", async () => {
    const server = await startRedis([], "right-password");
    for (const secret of ["", ":wrong-password@", "other:wrong-password@"]) {
      const error = (await redisEngine({ url: `redis://${secret}127.0.0.1:${server.port}` }).catch(
        (e: unknown) => e,
      )) as Error;
      expect(error).toMatchObject({ name: "EngineError", code: "unsuitable" });
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain("wrong-password");
    }
    await (await redisEngine({ url: server.url })).close();
    await server.stop();
  });

  test("because no server listens at the address", async () => {
    const server = await startRedis();
    await server.stop();
    await expect(redisEngine({ url: server.url })).rejects.toMatchObject({ code: "unavailable" });
  });

  test("because only newer gateways can read its format; a newer format that this one can read is accepted", async () => {
    const server = await startRedis();
    const client = createClient({ url: server.url });
    await client.connect();
    await client.hSet("acp-kit:format", { version: "3", oldest: "2" });
    await expect(redisEngine({ url: server.url })).rejects.toMatchObject({
      code: "unsuitable",
      message: expect.stringContaining("install a newer version"),
    });
    await client.hSet("acp-kit:format", { version: "3", oldest: "1" });
    await (await redisEngine({ url: server.url })).close();
    expect({ ...(await client.hGetAll("acp-kit:format")) }).toEqual({ version: "3", oldest: "1" });
    client.destroy();
    await server.stop();
  });
});

describe.skipIf(redisProgram() === undefined)("a server with sessions (needs redis-server)", () => {
  // One fixture for each released format, with the commands that create its keys.
  test.each([1])("keys in format %i are opened, with their sessions", async (format) => {
    const server = await startRedis();
    const client = createClient({ url: server.url });
    await client.connect();
    const fixture = readFileSync(new URL(`../../test/fixtures/format-${format}.json`, import.meta.url), "utf8");
    for (const words of JSON.parse(fixture) as string[][]) await client.sendCommand(words);
    const engine = await redisEngine({ url: server.url });
    const key = { scope: { tenant: "t", user: "ann" }, sessionId: "saved" };
    expect(await engine.find(key)).toMatchObject({ cwd: "/work", title: "A title", additionalDirectories: ["/more"] });
    expect((await engine.list(key.scope, { limit: 5 })).sessions).toMatchObject([{ sessionId: "saved" }]);
    expect(await engine.read(key, undefined, { maxEntries: 10, maxChars: 1_000 })).toMatchObject({
      entries: [
        { seq: 2, text: '{"type":"second"}' },
        { seq: 3, text: '{"type":"third"}' },
        { seq: 4, text: '{"type":"fourth"}' },
        { seq: 5, text: '{\n"type":"fifth"}' },
      ],
    });
    const member = await engine.join({ id: "new", ttlMs: 60_000, onMessage: () => {} });
    const held = await member.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    expect(await member.append(held.lease, 6, ["{}"])).toEqual({ is: "appended" });
    await engine.close();
    expect(await client.hGet("acp-kit:format", "version")).toBe("1");
    client.destroy();
    await server.stop();
  });
});

async function keysOf(url: string): Promise<string[]> {
  const client = createClient({ url });
  await client.connect();
  const keys = await client.keys("*");
  client.destroy();
  return keys;
}

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

async function keysOf(url: string): Promise<string[]> {
  const client = createClient({ url });
  await client.connect();
  const keys = await client.keys("*");
  client.destroy();
  return keys;
}

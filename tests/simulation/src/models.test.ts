import { engineContract } from "@acp-kit/gateway/contract";
import { PostgresEngine } from "@acp-kit/gateway-postgres";
import { RedisEngine } from "@acp-kit/gateway-redis";
import { describe, expect, test } from "vitest";
import { ModelPostgres } from "./model-postgres.js";
import { ModelRedis } from "./model-redis.js";
import { postgresPort, redisPort } from "./sim-engines.js";

// The engines fulfil the contract on the models of the simulation. The packages' own tests check the real servers.
describe.each([
  {
    name: "Redis",
    open: (now: () => number) => {
      const server = new ModelRedis(now);
      return () => new RedisEngine(redisPort(server), "model");
    },
  },
  {
    name: "PostgreSQL",
    open: (now: () => number) => {
      const server = new ModelPostgres(now);
      return () => new PostgresEngine(postgresPort(server), "model");
    },
  },
])("gateway.simulation-engines: the gateway's engine on the model of $name", ({ open }) => {
  const cases = engineContract(() => {
    let now = 1_000_000;
    const view = open(() => now);
    const [engine, other] = [view(), view()];
    const advance = (ms: number): void => {
      now += ms;
    };
    return { engine, other, advance, dispose: () => engine.close() };
  });
  test.each(cases)("$name", ({ run }) => run());
});

describe("gateway.simulation-engines: a failover of the model of Redis", () => {
  test("leaves a session that the directory does not have, and its next owner adds it", async () => {
    const server = new ModelRedis(() => 1_000_000);
    const port = redisPort(server);
    let restore = (): void => {};
    const command: typeof port.command = (...words) => {
      if (words[0] === "ZADD") restore = server.copy(); // between the two steps of the creation
      return port.command(...words);
    };
    const scope = { tenant: "t", user: "ann" };
    const session = { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" };
    await new RedisEngine({ ...port, command }, "model").create(scope, session);
    restore();
    const engine = new RedisEngine(port, "model");
    expect(await engine.list(scope, { limit: 10 })).toEqual({ sessions: [] });
    const member = await engine.join({ id: "r", ttlMs: 1_000, onMessage: () => {} });
    expect(await member.acquire({ scope, sessionId: "s" })).toMatchObject({ is: "held" });
    expect(await engine.list(scope, { limit: 10 })).toMatchObject({ sessions: [{ sessionId: "s" }] });
  });
});

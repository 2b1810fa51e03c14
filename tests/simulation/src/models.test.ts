import { engineContract } from "@acp-kit/gateway/contract";
import { PostgresEngine } from "@acp-kit/gateway-postgres";
import { RedisEngine } from "@acp-kit/gateway-redis";
import { describe, test } from "vitest";
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

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@acp-kit/configs/free-port";
import type { Engine } from "@acp-kit/gateway";
import { gatewayLimitDefaults } from "@acp-kit/gateway/internal";
import { postgresEngine } from "@acp-kit/gateway-postgres";
import { redisEngine } from "@acp-kit/gateway-redis";
import { postgresFolder, redisProgram, startPostgres, startRedis, type TestServer } from "@acp-kit/servers";
import type { Load } from "./counts.js";
import { type EnginePath, enginePath } from "./engine-path.js";
import { everythingAgent, type RunningServer, type ServerHome, startServer } from "./served.js";

/** An engine that replicas share, and the means to start one for a test. */
export interface SharedEngine {
  readonly name: string;
  /** Whether its program is installed. */
  readonly isThere: boolean;
  start(): Promise<TestServer>;
  open(url: string): Promise<Engine>;
}

export const sharedEngines: readonly SharedEngine[] = [
  {
    name: "Redis",
    isThere: redisProgram() !== undefined,
    start: () => startRedis(),
    open: (url) => redisEngine({ url }),
  },
  {
    name: "PostgreSQL",
    isThere: postgresFolder() !== undefined,
    start: () => startPostgres({ settings: ["max_connections=200"] }),
    open: (url) => postgresEngine({ url, connections: 2 }),
  },
];

/** The maximum size of a server's heap, in MiB. A server that keeps what it no longer needs ends with an error. */
const HEAP_MIB = 256;

/** The lease of the replicas of a test, in milliseconds. */
export const LEASE_MS = 2_000;

/** One of several servers with the same engine. */
export interface Replica {
  readonly port: number;
  /** The network between the server and the engine. */
  readonly path: EnginePath;
  server: RunningServer;
  /** Starts the server again, at the same addresses. */
  start(): Promise<void>;
}

/**
 * All sessions belong to one user. If that user may not run an agent for each of them, each server has one agent for
 * all.
 */
function settingsFor({ sessions }: Load): object {
  const isMany = sessions > gatewayLimitDefaults.maxAgents;
  return isMany ? { agentPer: "principal", limits: { maxConnectionsPerPrincipal: 2 * sessions } } : {};
}

/**
 * Starts servers that share an engine, each with a replica link to the others. Agents and clients speak both
 * versions of the protocol, but the agent of the first server only version 1, so that sessions change the version with
 * their owner.
 */
export async function startReplicas(
  place: ServerHome,
  program: string,
  engine: TestServer,
  { count, load }: { readonly count: number; readonly load: Load },
): Promise<Replica[]> {
  const secret = join(place.home, "replica-secret");
  const config = join(place.home, "replicas.json");
  writeFileSync(secret, "fire-secret-0123456789");
  const times = { leaseMs: LEASE_MS };
  writeFileSync(config, JSON.stringify({ times, ...settingsFor(load) }));
  const one = async (agent: readonly string[]): Promise<Replica> => {
    const [port, linkPort] = [await freePort(), await freePort()];
    const link = ["--replica-address", `127.0.0.1:${linkPort}`, "--replica-secret-file", secret];
    const path = await enginePath(engine.port);
    const url = engine.url.replace(`:${engine.port}`, `:${path.port}`);
    const options = ["--engine", url, "--config", config, ...link];
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` };
    const start = (): Promise<RunningServer> =>
      startServer({ ...place, port }, { program, options, env, agent, protocol: "auto" });
    const replica = {
      ...{ port, path },
      server: await start(),
      start: async () => {
        replica.server = await start();
      },
    };
    return replica;
  };
  const replicas: Replica[] = [];
  for (let i = 0; i < count; i++) replicas.push(await one(everythingAgent(place, program, i === 0 ? 1 : undefined)));
  return replicas;
}

/**
 * Kills the server of an engine whose standby is behind by `lagMs`, and makes the standby the server. The last
 * acknowledged writes are lost.
 */
export async function failOver(
  engine: TestServer,
  replicas: readonly Replica[],
  { name, lagMs }: { readonly name: string; readonly lagMs: number },
): Promise<TestServer> {
  const path = await enginePath(engine.port);
  const standby = await engine.standby({ name, through: path.port });
  path.cut();
  await new Promise((resolve) => setTimeout(resolve, lagMs)); // the load continues meanwhile
  await engine.kill();
  await path.close();
  await standby.promote();
  for (const replica of replicas) replica.path.leadTo(standby.port);
  await engine.stop();
  return standby;
}

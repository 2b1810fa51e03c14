import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "@acp-kit/gateway";
import { postgresEngine } from "@acp-kit/gateway-postgres";
import { redisEngine } from "@acp-kit/gateway-redis";
import { freePort, postgresFolder, redisProgram, startPostgres, startRedis, type TestServer } from "@acp-kit/servers";
import { type RunningServer, type ServerHome, startServer } from "./served.js";

/** An engine that replicas share, and how a test has its own. */
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

/** The lease of the replicas of a test, in milliseconds. */
export const LEASE_MS = 2_000;

/** A server of several with the same engine. */
export interface Replica {
  readonly port: number;
  server: RunningServer;
  /** Starts it again, at the same addresses. */
  start(): Promise<void>;
}

/** Starts servers that share an engine, each with a direct way to the others. */
export async function startReplicas(
  place: ServerHome,
  program: string,
  engine: string,
  count: number,
): Promise<Replica[]> {
  const secret = join(place.home, "replica-secret");
  const config = join(place.home, "replicas.json");
  writeFileSync(secret, "fire-secret-0123456789");
  writeFileSync(config, JSON.stringify({ times: { leaseMs: LEASE_MS, watchMs: 500, replyMs: 1_000 } }));
  const one = async (): Promise<Replica> => {
    const [port, linkPort] = [await freePort(), await freePort()];
    const link = ["--replica-address", `127.0.0.1:${linkPort}`, "--replica-secret-file", secret];
    const options = ["--engine", engine, "--config", config, ...link];
    const start = (): Promise<RunningServer> => startServer({ ...place, port }, { program, options });
    const replica = {
      port,
      server: await start(),
      start: async () => {
        replica.server = await start();
      },
    };
    return replica;
  };
  const replicas: Replica[] = [];
  for (let i = 0; i < count; i++) replicas.push(await one());
  return replicas;
}

import { redisProgram, startRedis } from "@acp-kit/servers";
import { expect, test } from "vitest";
import { serveReplica } from "./readme.examples.js";

test.skipIf(redisProgram() === undefined)(
  "the server of the README listens and closes (needs redis-server)",
  async () => {
    const redis = await startRedis();
    const start = () => Promise.reject(new Error("no client needs an agent"));
    const server = await serveReplica(redis.url, start, { address: "127.0.0.1:0", secret: "0123456789-abcdef" });
    expect((await fetch(new URL("/readyz", server.url))).status).toBe(200);
    await server.drain({ graceMs: 0 });
    await redis.stop();
  },
);

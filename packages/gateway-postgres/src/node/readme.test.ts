import { postgresFolder, startPostgres } from "@acp-kit/servers";
import { expect, test } from "vitest";
import { serveReplica } from "./readme.examples.js";

test.skipIf(postgresFolder() === undefined)(
  "the server of the README listens and closes (needs PostgreSQL)",
  async () => {
    const postgres = await startPostgres();
    const start = () => Promise.reject(new Error("no client needs an agent"));
    const server = await serveReplica(postgres.url, start, { address: "127.0.0.1:0", secret: "0123456789-abcdef" });
    expect((await fetch(new URL("/readyz", server.url))).status).toBe(200);
    await server.drain({ graceMs: 0 });
    await postgres.stop();
  },
);

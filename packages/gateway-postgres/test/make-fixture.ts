// Writes a dump of tables in the newest format to `fixtures`, for tests of later versions. Run it once, before the
// format is released: `tsx packages/gateway-postgres/test/make-fixture.ts`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { postgresFolder, startPostgres } from "@acp-kit/servers";
import pg from "pg";
import { postgresEngine } from "../src/node/index.js";

const server = await startPostgres();
try {
  const engine = await postgresEngine({ url: server.url });
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
  await engine.close();
  const client = new pg.Client(server.url);
  await client.connect();
  const { version } = (await client.query("SELECT version FROM acp_kit.format")).rows[0] as {
    readonly version: number;
  };
  await client.end();
  const words = ["--dbname", server.url, "--schema", "acp_kit", "--inserts", "--no-owner", "--no-privileges"];
  const dump = execFileSync(join(postgresFolder() ?? "", "pg_dump"), words, { encoding: "utf8" });
  const lines = dump
    .split("\n")
    .filter((line) => line !== "" && !/^(?:--|\\|SET |SELECT pg_catalog\.set_config)/.test(line));
  writeFileSync(new URL(`fixtures/format-${version}.sql`, import.meta.url), `${lines.join("\n")}\n`);
} finally {
  await server.stop();
}

import { readFileSync } from "node:fs";
import { postgresFolder, startPostgres, type TestServer } from "@acp-kit/servers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresEngine } from "./index.js";

const ann = { tenant: "t", user: "ann" };

describe("a URL that is not a URL of PostgreSQL", () => {
  test.each(["", "localhost:5432", "http://localhost", "postgres://", "redis://host"])("%s", async (url) => {
    await expect(postgresEngine({ url })).rejects.toBeInstanceOf(TypeError);
  });

  test("a schema that is not a plain name", async () => {
    await expect(postgresEngine({ url: "postgres://127.0.0.1:1/x", schema: 'a"; DROP' })).rejects.toBeInstanceOf(
      TypeError,
    );
  });
});

describe.skipIf(postgresFolder() === undefined)("a server that is refused (needs PostgreSQL)", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres({ password: "right-password" });
  });
  afterAll(() => server.stop());

  test.each([
    ["fsync=off", "fsync = on"],
    ["synchronous_commit=off", "synchronous_commit = on"],
  ])("because of %s", async (setting, message) => {
    const other = await startPostgres({ settings: [setting] });
    await expect(postgresEngine({ url: other.url })).rejects.toMatchObject({
      name: "EngineError",
      code: "unsuitable",
      message: expect.stringContaining(message),
    });
    expect(await tablesOf(other.url)).toEqual([]);
    await other.stop();
  });

  test("because it rejects the password, which no message contains", async () => {
    for (const user of ["", "postgres@", "postgres:wrong-password@", "other:wrong-password@"]) {
      const url = `postgres://${user}127.0.0.1:${server.port}/postgres`;
      const error = (await postgresEngine({ url }).catch((e: unknown) => e)) as Error;
      expect(error).toMatchObject({ name: "EngineError", code: "unsuitable" });
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain("wrong-password");
    }
  });

  test("because the database does not exist, or has another encoding", async () => {
    const missing = server.url.replace(/postgres$/, "missing");
    await expect(postgresEngine({ url: missing })).rejects.toMatchObject({ code: "unsuitable" });
    await query(server.url, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    const latin = server.url.replace(/postgres$/, "latin");
    await expect(postgresEngine({ url: latin })).rejects.toMatchObject({
      code: "unsuitable",
      message: expect.stringContaining("UTF8"),
    });
    expect(await tablesOf(latin)).toEqual([]);
  });

  test("because no server listens at the address", async () => {
    const other = await startPostgres();
    await other.stop();
    await expect(postgresEngine({ url: other.url })).rejects.toMatchObject({ code: "unavailable" });
  });

  test("because only newer gateways can use its tables; newer tables that this one can use are accepted", async () => {
    await (await postgresEngine({ url: server.url, schema: "newer" })).close();
    await query(server.url, "UPDATE newer.format SET version = 3, oldest = 2");
    await expect(postgresEngine({ url: server.url, schema: "newer" })).rejects.toMatchObject({
      code: "unsuitable",
      message: expect.stringContaining("install a newer version"),
    });
    await query(server.url, "UPDATE newer.format SET oldest = 1");
    await (await postgresEngine({ url: server.url, schema: "newer" })).close();
    expect(await query(server.url, "SELECT * FROM newer.format")).toEqual([{ version: 3, oldest: 1 }]);
  });

  // One fixture for each released format, written by `pg_dump`.
  test.each([1])("tables in format %i are migrated to the current format, with their sessions", async (format) => {
    const fixture = readFileSync(new URL(`../../test/fixtures/format-${format}.sql`, import.meta.url), "utf8");
    await query(server.url, "DROP SCHEMA IF EXISTS acp_kit CASCADE");
    await query(server.url, fixture);
    const engine = await postgresEngine({ url: server.url });
    const key = { scope: ann, sessionId: "saved" };
    expect(await engine.find(key)).toMatchObject({ cwd: "/work", title: "A title", additionalDirectories: ["/more"] });
    expect(await engine.read(key, undefined, { maxEntries: 10, maxChars: 1_000 })).toMatchObject({
      entries: [
        { seq: 2, text: '{"type":"second"}' },
        { seq: 3, text: '{"type":"third"}' },
      ],
    });
    const member = await engine.join({ id: "new", ttlMs: 60_000, onMessage: () => {} });
    const held = await member.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    expect(await member.append(held.lease, 4, ["{}"])).toEqual({ is: "appended" });
    await engine.close();
    expect(await query(server.url, "SELECT version FROM acp_kit.format")).toEqual([{ version: 1 }]);
  });

  test("a migration that fails changes nothing", async () => {
    await query(server.url, "CREATE SCHEMA half; CREATE TABLE half.mail (other int)");
    await expect(postgresEngine({ url: server.url, schema: "half" })).rejects.toMatchObject({ name: "EngineError" });
    expect(await query(server.url, "SELECT tablename FROM pg_tables WHERE schemaname = 'half'")).toEqual([
      { tablename: "mail" },
    ]);
  });
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function tablesOf(url: string): Promise<unknown[]> {
  return query(url, "SELECT * FROM pg_namespace WHERE nspname = 'acp_kit'");
}

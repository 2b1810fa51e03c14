import { engineContract } from "@acp-kit/gateway/contract";
import { postgresFolder, startPostgres, type TestServer, untilAvailable } from "@acp-kit/servers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractPostgres } from "../../test/contract-postgres.js";
import { postgresEngine } from "./index.js";

const ann = { tenant: "t", user: "ann" };
const key = { scope: ann, sessionId: "s" };
const session = { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" };
const all = { maxEntries: 1_000, maxChars: 1_000_000 };
const quiet = { ttlMs: 60_000, onMessage: () => {} };

describe.skipIf(postgresFolder() === undefined)("the PostgreSQL engine (needs PostgreSQL)", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test.each(engineContract(() => contractPostgres(server.url)))("$name", ({ run }) => run());

  test("each append has its own outcome if one statement appends to many sessions", async () => {
    const engine = await postgresEngine({ url: server.url, schema: "many" });
    const member = await engine.join({ id: "a", ...quiet });
    const leases = [];
    for (let i = 0; i < 20; i++) {
      await engine.create(ann, { ...session, sessionId: `s${i}` });
      const held = await member.acquire({ scope: ann, sessionId: `s${i}` });
      if (held.is !== "held") throw new Error(held.is);
      leases.push(held.lease);
    }
    await engine.delete({ scope: ann, sessionId: "s3" });
    const outcomes = await Promise.all(
      leases.map((lease, i) =>
        member.append({ ...lease, epoch: lease.epoch - (i === 5 ? 1 : 0) }, i === 7 ? 2 : 1, [`${i}`, "ü"]),
      ),
    );
    for (const [i, outcome] of outcomes.entries()) {
      const is = i === 3 ? "missing" : i === 5 ? "stale" : i === 7 ? "misplaced" : "appended";
      expect(outcome).toMatchObject({ is });
      const page = await engine.read({ scope: ann, sessionId: `s${i}` }, undefined, all);
      if (is === "appended") expect(page).toMatchObject({ entries: [{ text: `${i}` }, { text: "ü" }] });
      else if (is !== "missing") expect(page).toMatchObject({ entries: [] });
    }
    await engine.close();
  });

  test("gateway.outage: a renewal does not wait for other statements, so that a busy replica keeps its sessions", async () => {
    const engine = await postgresEngine({ url: server.url, schema: "busy", connections: 1 });
    await engine.create(ann, session);
    const member = await engine.join({ id: "a", ...quiet });
    const held = await member.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    const other = new pg.Client(server.url);
    await other.connect();
    await other.query("BEGIN");
    await other.query("LOCK TABLE busy.sessions");
    const appending = member.append(held.lease, 1, ["x"]); // waits for the lock on the only connection of the pool
    const reading = engine.find(key); // waits for the connection
    expect(await member.renew()).toBe(true);
    await other.query("COMMIT");
    expect(await appending).toMatchObject({ is: "appended" });
    expect(await reading).toMatchObject({ sessionId: "s" });
    await other.end();
    await engine.close();
  });

  test("a renewal that the server does not answer fails after a third of the lease", async () => {
    const engine = await postgresEngine({ url: server.url, schema: "silent", timeoutMs: 600_000 });
    const member = await engine.join({ id: "a", ttlMs: 300, onMessage: () => {} });
    const other = new pg.Client(server.url);
    await other.connect();
    await other.query("BEGIN");
    await other.query("LOCK TABLE silent.members");
    await expect(member.renew()).rejects.toMatchObject({ code: "unavailable" });
    await other.query("COMMIT");
    await other.end();
    await untilAvailable(() => member.renew());
    await engine.close();
  });

  test("a deletion during appends leaves no entries", async () => {
    const engine = await postgresEngine({ url: server.url, schema: "deletions" });
    const member = await engine.join({ id: "a", ...quiet });
    for (let i = 0; i < 20; i++) {
      await engine.create(ann, session);
      const held = await member.acquire(key);
      if (held.is !== "held") throw new Error(held.is);
      const appending = (async () => {
        for (let first = 1; ; first++) if ((await member.append(held.lease, first, ["x"])).is !== "appended") return;
      })();
      await new Promise((resolve) => setImmediate(resolve));
      expect(await engine.delete(key)).toBe(true);
      await appending;
    }
    const client = new pg.Client(server.url);
    await client.connect();
    expect((await client.query("SELECT count(*)::int AS count FROM deletions.entries")).rows).toEqual([{ count: 0 }]);
    await client.end();
    await engine.close();
  });

  test("a killed server loses no acknowledged entry; the engine reconnects and listens again", async () => {
    const killed = await startPostgres();
    const engine = await postgresEngine({ url: killed.url, timeoutMs: 3_000 });
    await engine.create(ann, session);
    const received: string[] = [];
    const member = await engine.join({ id: "a", ttlMs: 60_000, onMessage: (message) => void received.push(message) });
    const held = await member.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    await member.append(held.lease, 1, ["1", "2"]);
    await killed.kill();
    await expect(member.append(held.lease, 3, ["3"])).rejects.toMatchObject({ code: "unavailable" });
    const rang = new Promise<void>((resolve) => {
      engine.watch(key, resolve);
    });
    await killed.restart();
    await rang;
    const { is } = await untilAvailable(() => member.append(held.lease, 3, ["3"]));
    expect(["appended", "misplaced"]).toContain(is);
    expect(await engine.read(key, { seq: 1, epoch: held.lease.epoch }, all)).toMatchObject({
      entries: [{ text: "2" }, { text: "3" }],
    });
    expect(await member.renew()).toBe(true); // the server has kept the membership too
    expect(await member.send("a", "to itself")).toBe(true);
    await expect.poll(() => received).toContain("to itself");
    await engine.close();
    await killed.stop();
  });

  test("a frozen server is reported as unavailable; afterwards the engine recognises the appends that the server executed", async () => {
    const frozen = await startPostgres();
    const engine = await postgresEngine({ url: frozen.url, timeoutMs: 300 });
    await engine.create(ann, session);
    const member = await engine.join({ id: "a", ...quiet });
    const held = await member.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    frozen.freeze();
    await expect(member.append(held.lease, 1, ["1", "2"])).rejects.toMatchObject({ code: "unavailable" });
    await expect(engine.find(key)).rejects.toMatchObject({ code: "unavailable" });
    frozen.thaw();
    const again = await untilAvailable(() => member.append(held.lease, 1, ["1", "2", "3"]));
    expect([{ is: "appended" }, { is: "misplaced", last: 2 }]).toContainEqual(again);
    if (again.is === "misplaced") await untilAvailable(() => member.append(held.lease, 3, ["3"]));
    const page = await untilAvailable(() => engine.read(key, undefined, all));
    expect(page).toMatchObject({ entries: [{ text: "1" }, { text: "2" }, { text: "3" }] });
    await engine.close();
    await frozen.stop();
  });
});

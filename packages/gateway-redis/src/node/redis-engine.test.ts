import type { Lease } from "@acp-kit/gateway";
import { engineContract } from "@acp-kit/gateway/contract";
import { redisProgram, startRedis, type TestServer } from "@acp-kit/servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractRedis } from "../../test/contract-redis.js";
import { RedisEngine, type RedisPort, redisEngine } from "./index.js";
import { RedisKeys } from "./redis-keys.js";
import { RedisLink } from "./redis-link.js";

const ann = { tenant: "t", user: "ann" };
const key = { scope: ann, sessionId: "s" };
const session = { sessionId: "s", cwd: "/", additionalDirectories: [], state: "{}" };
const all = { maxEntries: 1_000, maxChars: 1_000_000 };
const quiet = { ttlMs: 60_000, onMessage: () => {} };

describe.skipIf(redisProgram() === undefined)("the Redis engine (needs redis-server)", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  test.each(engineContract(() => contractRedis(server.url)))("$name", ({ run }) => run());

  test("appends are refused by a server that is full, and continue when the server has memory again", async () => {
    const full = await startRedis(["--maxmemory", "6mb"]);
    const engine = await redisEngine({ url: full.url });
    await engine.create(ann, session);
    const member = await engine.join({ id: "a", ...quiet });
    const held = await member.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    const text = "x".repeat(100_000);
    let first = 1;
    const fill = async (): Promise<void> => {
      for (; first < 1_000; first++) await member.append(held.lease, first, [text]);
    };
    await expect(fill()).rejects.toMatchObject({ name: "EngineError", code: "full" });
    expect(first).toBeGreaterThan(5);
    expect(await member.renew()).toBe(true); // a full server still renews leases and frees memory
    await member.trim(held.lease, first);
    expect(await member.append(held.lease, first, ["there is room"])).toEqual({ is: "appended" });
    expect(await engine.read(key, undefined, all)).toMatchObject({ entries: [{ seq: first, text: "there is room" }] });
    await engine.close();
    await full.stop();
  });

  test("a session that is deleted and created again has higher epochs, even if the clock was set back", async () => {
    const engine = await redisEngine({ url: server.url, prefix: "set-back" });
    const link = await RedisLink.open({ url: server.url, where: "here", timeoutMs: 5_000 });
    await engine.create(ann, session);
    const future = `${Date.now() + 86_400_000}`; // a lease from before the clock was set back
    await link.command("HSET", new RedisKeys("set-back").session(key), "epoch", future);
    await engine.delete(key);
    await engine.create(ann, session);
    const member = await engine.join({ id: "set-back", ...quiet });
    const held = await member.acquire(key);
    expect(held.is === "held" && held.lease.epoch).toBeGreaterThan(Number(future));
    await engine.close();
    await link.close();
  });

  test("a killed server loses no acknowledged entry; the engine reconnects and subscribes again", async () => {
    const killed = await startRedis();
    const engine = await redisEngine({ url: killed.url, timeoutMs: 2_000 });
    await engine.create(ann, session);
    const received: string[] = [];
    const member = await engine.join({ id: "a", ttlMs: 60_000, onMessage: (message) => void received.push(message) });
    const held = await member.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    await member.append(held.lease, 1, ["1", "2"]);
    await killed.kill();
    await expect(member.append(held.lease, 3, ["3"])).rejects.toMatchObject({ code: "unavailable" });
    let bells = 0;
    const rang = new Promise<void>((resolve) => {
      engine.watch(key, () => {
        bells += 1;
        resolve();
      });
    });
    await killed.restart();
    await until(
      () => member.append(held.lease, 3, ["3"]),
      ({ is }) => is === "appended" || is === "misplaced",
    );
    await rang;
    expect(bells).toBeGreaterThan(0);
    expect(await engine.read(key, { seq: 1, epoch: held.lease.epoch }, all)).toMatchObject({
      entries: [{ text: "2" }, { text: "3" }],
    });
    expect(
      await until(
        () => member.renew(),
        () => true,
      ),
    ).toBe(true); // the server has kept the membership too
    expect(await member.send("a", "to itself")).toBe(true);
    await expect.poll(() => received).toContain("to itself");
    await engine.close();
    await killed.stop();
  });

  test("a frozen server is reported as unavailable; afterwards the engine recognises the appends that the server executed", async () => {
    const frozen = await startRedis();
    const engine = await redisEngine({ url: frozen.url, timeoutMs: 300 });
    await engine.create(ann, session);
    const member = await engine.join({ id: "a", ...quiet });
    const held = await member.acquire(key);
    if (held.is !== "held") throw new Error(held.is);
    frozen.freeze();
    await expect(member.append(held.lease, 1, ["1", "2"])).rejects.toMatchObject({ code: "unavailable" });
    await expect(engine.find(key)).rejects.toMatchObject({ code: "unavailable" }); // rejects immediately, because there is no connection
    frozen.thaw();
    const again = await until(
      () => member.append(held.lease, 1, ["1", "2", "3"]),
      () => true,
    );
    expect([{ is: "appended" }, { is: "misplaced", last: 2 }]).toContainEqual(again);
    if (again.is === "misplaced") await member.append(held.lease, 3, ["3"]);
    expect(await engine.read(key, undefined, all)).toMatchObject({
      entries: [{ text: "1" }, { text: "2" }, { text: "3" }],
    });
    await engine.close();
    await frozen.stop();
  });

  test("a long page does not mix journals when the journal changes between its two steps", async () => {
    const link = await RedisLink.open({ url: server.url, where: "here", timeoutMs: 5_000 });
    let between = async (): Promise<unknown> => undefined;
    const port: RedisPort = {
      run: (script, keys, args) => link.run(script, keys, args),
      command: async (...words) => {
        if (words[0] === "XRANGE") await between();
        return link.command(...words);
      },
      subscribe: (channel, onMessage) => link.subscribe(channel, onMessage),
      close: () => link.close(),
    };
    const engine = new RedisEngine(port, "between");
    const member = await engine.join({ id: "a", ...quiet });
    const create = async (name: string): Promise<Lease> => {
      await engine.create(ann, session);
      const held = await member.acquire(key);
      if (held.is !== "held") throw new Error(held.is);
      const texts = Array.from({ length: 500 }, (_, i) => `${name} ${i + 1}`);
      await member.append(held.lease, 1, texts);
      return held.lease;
    };
    const lease = await create("old");
    const [start, middle] = [undefined, { seq: 10, epoch: lease.epoch }];
    const page = await engine.read(key, start, all);
    expect(page.is === "page" && page.entries.at(-1)).toEqual({ seq: 500, epoch: lease.epoch, text: "old 500" });
    between = () => member.trim(lease, 21);
    expect(await engine.read(key, middle, all)).toEqual({ is: "expired", first: 21 });
    between = () => member.trim(lease, 31);
    expect(await engine.read(key, start, all)).toMatchObject({
      is: "page",
      entries: { 0: { seq: 31, text: "old 31" } },
    });
    between = async () => {
      await engine.delete(key);
      await create("new");
    };
    expect(await engine.read(key, { seq: 40, epoch: lease.epoch }, all)).toMatchObject({ is: "ahead" });
    between = () => engine.delete(key);
    expect(await engine.read(key, start, all)).toEqual({ is: "missing" });
    await engine.close();
  });

  test("a session that was created but not listed is listed by the next attempt to create it", async () => {
    const engine = await redisEngine({ url: server.url, prefix: "half" });
    const { createClient } = await import("@redis/client");
    const client = createClient({ url: server.url });
    await client.connect();
    await engine.create(ann, session);
    await client.del("half:{t:ann}:directory");
    expect((await engine.list(ann, { limit: 5 })).sessions).toEqual([]);
    await expect(engine.create(ann, session)).rejects.toMatchObject({ code: "exists" });
    expect((await engine.list(ann, { limit: 5 })).sessions).toHaveLength(1);
    await client.del("half:{t:ann:s}:session"); // deleted, but still listed
    expect(await engine.count(ann)).toBe(1);
    expect((await engine.list(ann, { limit: 5 })).sessions).toEqual([]);
    expect(await engine.count(ann)).toBe(0);
    client.destroy();
    await engine.close();
  });
});

describe.skipIf(redisProgram() === undefined)("the Redis engine on Redis Cluster (needs redis-server)", () => {
  let server: TestServer;
  beforeAll(async () => {
    // One node with all slots. It rejects every script whose keys could be on two nodes.
    server = await startRedis(["--cluster-enabled", "yes"]);
    const { createClient } = await import("@redis/client");
    const client = createClient({ url: server.url });
    await client.connect();
    await client.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
    while (!String(await client.sendCommand(["CLUSTER", "INFO"])).includes("cluster_state:ok"));
    client.destroy();
  });
  afterAll(() => server.stop());

  test.each(engineContract(() => contractRedis(server.url)))("$name", ({ run }) => run());
});

/** Repeats an operation while it is unavailable, until it has the expected result. */
async function until<Result>(work: () => Promise<Result>, isWanted: (result: Result) => boolean): Promise<Result> {
  for (;;) {
    try {
      const result = await work();
      if (isWanted(result)) return result;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== "unavailable") throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

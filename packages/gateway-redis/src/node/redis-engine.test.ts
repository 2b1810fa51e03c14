import { engineContract } from "@acp-kit/gateway/contract";
import { type Engine, journalPartLimits, type Lease, type Membership } from "@acp-kit/gateway/engine";
import { redisProgram, startRedis, type TestServer, untilAvailable } from "@acp-kit/servers";
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

async function acquired(member: Membership): Promise<Lease> {
  const acquired = await member.acquire(key);
  if (acquired.is !== "held") throw new Error(acquired.is);
  return acquired.lease;
}

/** Creates the session `s` and acquires it. */
async function held(engine: Engine): Promise<{ member: Membership; lease: Lease }> {
  await engine.create(ann, session);
  const member = await engine.join({ id: `${Math.random()}`, ...quiet });
  return { member, lease: await acquired(member) };
}

/** The number of stored parts of the journal of the session `s`. */
async function partsIn({ url }: TestServer, prefix: string): Promise<unknown> {
  const link = await RedisLink.open({ url, where: "here", timeoutMs: 5_000 });
  try {
    return await link.command("XLEN", new RedisKeys(prefix).journal(key));
  } finally {
    await link.close();
  }
}

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

  test("a channel stays subscribed if it gets a listener right after it has lost the last one", async () => {
    const link = await RedisLink.open({ url: server.url, where: "here", timeoutMs: 5_000 });
    let calls = 0;
    let stop = (): void => {};
    for (let round = 0; round < 3; round++) {
      for (let changes = 0; changes < round; changes++) {
        stop();
        stop = link.subscribe("changes", () => {});
      }
      stop();
      calls = 0;
      stop = link.subscribe("changes", () => {
        calls += 1;
      });
      await expect.poll(() => calls).toBe(round + 1); // one call for each subscription that has begun
      await link.command("PUBLISH", "changes", "");
      await expect.poll(() => calls).toBe(round + 2);
    }
    stop();
    await expect.poll(() => link.command("PUBSUB", "NUMSUB", "changes")).toEqual(["changes", 0]);
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
    const { is } = await untilAvailable(() => member.append(held.lease, 3, ["3"]));
    expect(["appended", "misplaced"]).toContain(is);
    await rang;
    expect(bells).toBeGreaterThan(0);
    expect(await engine.read(key, { seq: 1, epoch: held.lease.epoch }, all)).toMatchObject({
      entries: [{ text: "2" }, { text: "3" }],
    });
    expect(await untilAvailable(() => member.renew())).toBe(true); // the server has kept the membership too
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
    // Rejects immediately, because there is no connection
    await expect(engine.find(key)).rejects.toMatchObject({ code: "unavailable" });
    frozen.thaw();
    const again = await untilAvailable(() => member.append(held.lease, 1, ["1", "2", "3"]));
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
    const lease = await create("old"); // in parts of 100 entries
    const [start, middle] = [undefined, { seq: 10, epoch: lease.epoch }];
    const page = await engine.read(key, start, all);
    expect(page.is === "page" && page.entries.at(-1)).toEqual({ seq: 500, epoch: lease.epoch, text: "old 500" });
    between = () => member.trim(lease, 21); // removes no part, so the page is as it was at the first step
    expect(await engine.read(key, middle, all)).toMatchObject({
      is: "page",
      entries: { 0: { seq: 11, text: "old 11" }, 489: { seq: 500, text: "old 500" } },
    });
    between = () => member.trim(lease, 121);
    expect(await engine.read(key, { seq: 30, epoch: lease.epoch }, all)).toEqual({ is: "expired", first: 121 });
    between = () => member.trim(lease, 231);
    expect(await engine.read(key, start, all)).toMatchObject({
      is: "page",
      entries: { 0: { seq: 231, text: "old 231" } },
    });
    between = async () => {
      await engine.delete(key);
      await create("new");
    };
    expect(await engine.read(key, { seq: 240, epoch: lease.epoch }, all)).toMatchObject({ is: "ahead" });
    between = () => engine.delete(key);
    expect(await engine.read(key, start, all)).toEqual({ is: "missing" });
    await engine.close();
  });

  test("a position inside a part is valid with the epoch of the part, and a page begins after it", async () => {
    const engine = await redisEngine({ url: server.url, prefix: "inside" });
    const { member, lease } = await held(engine);
    await member.append(lease, 1, ["1", "2", "3"]);
    const next = await acquired(member);
    await member.append(next, 4, ["4", "5"]);
    const read = (seq: number, epoch: number) => engine.read(key, { seq, epoch }, all);
    for (const { seq, epoch } of [
      { seq: 1, epoch: lease.epoch },
      { seq: 3, epoch: lease.epoch },
      { seq: 4, epoch: next.epoch },
    ])
      expect(await read(seq, epoch)).toMatchObject({
        is: "page",
        entries: ["1", "2", "3", "4", "5"].slice(seq).map((text) => ({ text, seq: Number(text) })),
      });
    for (const seq of [1, 2, 3]) expect(await read(seq, next.epoch)).toMatchObject({ is: "ahead" });
    for (const seq of [4, 5]) expect(await read(seq, lease.epoch)).toMatchObject({ is: "ahead" });
    expect(await read(0, 0)).toMatchObject({
      entries: [...Array(3).fill({ epoch: lease.epoch }), ...Array(2).fill({ epoch: next.epoch })],
    });
    await engine.close();
  });

  test("a page ends inside a part at each limit, and the next page continues there", async () => {
    const engine = await redisEngine({ url: server.url, prefix: "limits" });
    const { member, lease } = await held(engine);
    const texts = Array.from({ length: 450 }, (_, i) => `${i + 1}`.padStart(5, "0"));
    await member.append(lease, 1, texts.slice(0, 30));
    await member.append(lease, 31, texts.slice(30));
    const pages = async (limits: object): Promise<string[][]> => {
      const pages: string[][] = [];
      for (let seq = 0; seq < texts.length; ) {
        const page = await engine.read(key, { seq, epoch: seq && lease.epoch }, { ...all, ...limits });
        if (page.is !== "page") throw new Error(page.is);
        pages.push(page.entries.map(({ text }) => text));
        seq = page.entries.at(-1)?.seq ?? texts.length;
      }
      expect(pages.flat()).toEqual(texts);
      return pages;
    };
    expect((await pages({ maxEntries: 7 })).map(({ length }) => length)).toEqual([...Array(64).fill(7), 2]);
    expect((await pages({ maxEntries: 170 })).map(({ length }) => length)).toEqual([170, 170, 110]);
    expect((await pages({ maxChars: 0 })).every(({ length }) => length === 1)).toBe(true);
    for (const entries of [7, 40, 170, 300])
      expect((await pages({ maxChars: 5 * entries + 4 })).every(({ length }) => length <= entries)).toBe(true);
    await engine.close();
  });

  test("a trim inside a part hides the entries before it", async () => {
    const engine = await redisEngine({ url: server.url, prefix: "trim" });
    const { member, lease } = await held(engine);
    await member.append(lease, 1, ["1", "2", "3", "4"]);
    await member.append(lease, 5, ["5", "6"]);
    for (const [first, stored] of [
      [3, 2],
      [4, 2],
      [5, 1],
      [6, 1],
    ] as const) {
      await member.trim(lease, first);
      const rest = ["1", "2", "3", "4", "5", "6"].slice(first - 1).map((text) => ({ text, seq: Number(text) }));
      const cut = { seq: first - 1, epoch: lease.epoch };
      expect(await engine.read(key, undefined, all)).toMatchObject({ is: "page", entries: rest });
      expect(await engine.read(key, cut, all)).toMatchObject({ is: "page", entries: rest });
      expect(await engine.read(key, { ...cut, epoch: 1 }, all)).toMatchObject({ is: "ahead" });
      expect(await engine.read(key, { ...cut, seq: first - 2 }, all)).toEqual({ is: "expired", first });
      expect(await partsIn(server, "trim")).toBe(stored);
    }
    await member.trim(lease, 7);
    expect(await partsIn(server, "trim")).toBe(0);
    expect(await member.append(lease, 7, ["7"])).toEqual({ is: "appended" });
    expect(await engine.read(key, undefined, { ...all, maxChars: 0 })).toMatchObject({ entries: [{ text: "7" }] });
    await engine.close();
  });

  test("an append that is larger than a part is stored in several parts", async () => {
    const engine = await redisEngine({ url: server.url, prefix: "large" });
    const { member, lease } = await held(engine);
    const texts = [...Array.from({ length: 250 }, (_, i) => `${i}`), ...Array(3).fill("x".repeat(40_000)), "end"];
    await member.append(lease, 1, texts);
    expect(await partsIn(server, "large")).toBe(5);
    const page = await engine.read(key, undefined, all);
    expect(page.is === "page" && page.entries).toEqual(
      texts.map((text, i) => ({ seq: i + 1, epoch: lease.epoch, text })),
    );
    const at = { seq: 251, epoch: lease.epoch };
    expect(await engine.read(key, at, { ...all, maxChars: 0 })).toMatchObject({ entries: [{ seq: 252 }] });
    expect(await engine.read(key, at, { ...all, maxChars: 80_003 })).toMatchObject({
      entries: [{ seq: 252 }, { seq: 253 }, { seq: 254, text: "end" }],
    });
    await engine.close();
  });

  test("keeps any text; a lone surrogate is replaced, because Redis stores UTF-8", async () => {
    const engine = await redisEngine({ url: server.url, prefix: "texts" });
    const { member, lease } = await held(engine);
    const texts = ["", "\n", "", "a\nb", "\r\u2028\0", "\n\n", "😀é", "\ud83d", "\ude00", "-1", ""];
    await member.append(lease, 1, texts);
    const page = await engine.read(key, undefined, { ...all, maxChars: 16 });
    expect(page.is === "page" && page.entries.map(({ text }) => text)).toEqual(
      texts.map((text) => Buffer.from(text).toString()),
    );
    await engine.close();
  });

  test("a session whose folder has a lone surrogate is listed once", async () => {
    const engine = await redisEngine({ url: server.url, prefix: "surrogate" });
    const folder = "/c\ud800";
    const create = () => engine.create(ann, { sessionId: "s", cwd: folder, additionalDirectories: [], state: "{}" });
    await create();
    await expect(create()).rejects.toMatchObject({ code: "exists" });
    const member = await engine.join({ id: "a", ttlMs: 60_000, onMessage: () => {} });
    await member.acquire({ scope: ann, sessionId: "s" });
    expect(await engine.count(ann)).toBe(1);
    expect((await engine.list(ann, { limit: 10 })).sessions).toHaveLength(1);
    expect((await engine.list(ann, { cwd: folder, limit: 10 })).sessions).toHaveLength(1);
    await engine.delete({ scope: ann, sessionId: "s" });
    expect(await engine.count(ann)).toBe(0);
    await engine.close();
  });

  test("messages arrive in the order in which they were sent, even if the server has forgotten the scripts", async () => {
    const engine = await redisEngine({ url: server.url, prefix: "order" });
    const admin = await RedisLink.open({ url: server.url, where: "here", timeoutMs: 5_000 });
    const received: string[] = [];
    let onMessage = () => {};
    await engine.join({
      id: "to",
      ttlMs: 60_000,
      onMessage: (message) => {
        received.push(message);
        onMessage();
      },
    });
    const from = await engine.join({ id: "from", ttlMs: 60_000, onMessage: () => {} });
    const expected: string[] = [];
    for (let round = 0; round < 40; round++) {
      await admin.command("SCRIPT", "FLUSH");
      for (let n = 0; n < 20; n++) {
        expected.push(`${round} ${n}`);
        void from.send("to", `${round} ${n}`);
        if (n % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await new Promise<void>((resolve) => {
        onMessage = () => received.length === expected.length && resolve();
        onMessage();
      });
    }
    expect(received).toEqual(expected);
    await admin.close();
    await engine.close();
  });

  test("a read of few characters of a long journal reads few parts", async () => {
    const link = await RedisLink.open({ url: server.url, where: "here", timeoutMs: 5_000 });
    let chars = 0;
    const counted = async (reply: Promise<unknown>): Promise<unknown> => {
      chars += JSON.stringify(await reply).length;
      return reply;
    };
    const engine = new RedisEngine(
      {
        run: (script, keys, args) => counted(link.run(script, keys, args)),
        command: (...words) => counted(link.command(...words)),
        subscribe: (channel, onMessage) => link.subscribe(channel, onMessage),
        close: () => link.close(),
      },
      "few",
    );
    const { member, lease } = await held(engine);
    await member.append(lease, 1, Array(200).fill("x".repeat(6_000))); // parts of 10 entries
    for (const seq of [0, 5, 10, 187])
      for (const maxChars of [0, 30_000, 150_000]) {
        chars = 0;
        const page = await engine.read(key, { seq, epoch: seq && lease.epoch }, { ...all, maxChars });
        expect(page.is === "page" && page.entries.length).toBeGreaterThan(0);
        expect(chars).toBeLessThan(maxChars + 2 * journalPartLimits.maxChars);
      }
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

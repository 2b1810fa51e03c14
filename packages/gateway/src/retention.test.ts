import { describe, expect, test } from "vitest";
import { ManualClock } from "../test/manual-clock.js";
import { loads } from "../test/raw-agent.js";
import { RawClient } from "../test/raw-client.js";
import { ann, type Rig, type RigOptions, settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import { EngineError } from "./engine/engine-error.js";
import { type Engine, memoryEngine } from "./index.js";
import type { Retention } from "./journal/retention.js";
import { allTimeDefaults } from "./limits.js";

function start(options: RigOptions & { readonly retention: Retention }): Promise<Rig> {
  const { retention, ...rest } = options;
  return startRig({ policy: { retention }, limits: { maxRecentChars: 2_000 }, ...rest });
}

const cursors = { _meta: { "acp-kit/cursors": true } };
const cursorsOf = (client: RawClient): string[] =>
  client.updates.map(({ params }) => (params._meta as Record<string, string>)["acp-kit/cursor"] ?? "");

/** Runs turns of eight words each, one after the other. */
async function runTurns(rig: Rig, client: RawClient, sessionId: string, [from, to]: readonly [number, number]) {
  for (let i = from; i <= to; i++) {
    const { turn, response } = await rig.turn(client, sessionId, `prompt ${i}`);
    for (let k = 0; k < 8; k++) turn.say(`${i} `);
    turn.end();
    await response;
    await settled();
  }
}

const promptsOf = (client: RawClient): string[] => client.log.filter((line) => line.startsWith("user: "));

/** A gateway with a session that sleeps. Its three turns have expired, and are still in the journal. */
async function asleep(clock: ManualClock, engine: Engine): Promise<{ readonly rig: Rig; readonly sessionId: string }> {
  const retention = { maxAgeMs: 60_000 };
  const rig = await start({ clock, engine, retention, policy: { retention, sleepAfterMs: 1_000 }, agent: loads });
  const client = await rig.client();
  const sessionId = await client.newSession();
  await runTurns(rig, client, sessionId, [1, 3]);
  await client.connection.close();
  await clock.advance(3_600_000);
  return { rig, sessionId };
}

/** Loads a session with a new client. */
async function loaded(rig: Rig, sessionId: string): Promise<{ readonly client: RawClient; readonly removed: unknown }> {
  const client = await rig.client();
  const { _meta } = await client.load(sessionId);
  return { client, removed: (_meta as Record<string, unknown>)["acp-kit/removed-turns"] };
}

describe("retention", () => {
  test("gateway.retention: keeps maxTurns turns; a load replays them and reports the number of removed turns; older cursors are expired", async () => {
    const rig = await start({ retention: { maxTurns: 5 } });
    const client = await rig.client(ann, cursors);
    const sessionId = await client.newSession();
    await runTurns(rig, client, sessionId, [1, 5]);
    expect((await loaded(rig, sessionId)).removed).toBeUndefined();
    await runTurns(rig, client, sessionId, [6, 30]);
    const { client: second, removed } = await loaded(rig, sessionId);
    expect(removed).toBe(25);
    expect(promptsOf(second)).toEqual([26, 27, 28, 29, 30].map((i) => `user: prompt ${i}`));
    expect(second.log.at(-2)).toBe(`agent: ${"30 ".repeat(8)}`);
    const [oldest] = cursorsOf(client);
    await expect(second.resume(sessionId, { "acp-kit/cursor": oldest })).rejects.toMatchObject({
      data: { reason: "cursor_expired" },
    });
    const newest = cursorsOf(client).at(-1);
    await second.resume(sessionId, { "acp-kit/cursor": newest });
    expect(client.text.split(" ")).toHaveLength(30 * 8 + 1); // an attached client has received every word
  });

  test("keeps maxChars characters in whole turns, and always the last turn", async () => {
    const rig = await start({ retention: { maxChars: 20_000 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    await runTurns(rig, client, sessionId, [1, 60]);
    const prompts = promptsOf((await loaded(rig, sessionId)).client);
    expect(prompts.at(-1)).toBe("user: prompt 60");
    const chars = await charsOf(rig.engine, sessionId);
    expect(chars).toBeLessThan(20_000);
    expect(chars).toBeGreaterThan(13_000); // three quarters, rounded down to whole turns
    const { turn, response } = await rig.turn(client, sessionId, "long");
    turn.say("x".repeat(50_000));
    turn.end();
    await response;
    await settled();
    const { client: last } = await loaded(rig, sessionId);
    expect(promptsOf(last)).toEqual(["user: long"]);
    expect(last.text).toHaveLength(50_000);
  });

  test("counts the characters correctly after the owner was killed during a turn", async () => {
    const engine = memoryEngine({ now: () => 0 });
    const first = await start({ retention: {}, engine });
    const client = await first.client();
    const sessionId = await client.newSession();
    await runTurns(first, client, sessionId, [1, 30]);
    const { turn } = await first.turn(client, sessionId, "interrupted");
    turn.say("x".repeat(5_000));
    await settled();
    await first.gateway.drain({ graceMs: 0 });
    const second = await start({
      retention: { maxChars: 20_000 },
      engine,
      agent: loads,
    });
    const next = await second.client();
    await next.load(sessionId);
    await runTurns(second, next, sessionId, [31, 32]);
    expect(await charsOf(engine, sessionId)).toBeLessThan(20_000);
  });

  test("keeps turns for maxAgeMs; expired turns of a sleeping session are removed before a client loads it", async () => {
    const rig = await start({
      retention: { maxAgeMs: 60_000 },
      agent: loads,
    });
    const client = await rig.client();
    const sessionId = await client.newSession();
    await runTurns(rig, client, sessionId, [1, 2]);
    await rig.clock.advance(50_000);
    await runTurns(rig, client, sessionId, [3, 3]);
    await rig.clock.advance(30_000); // the session is awake and checks its age itself
    expect(promptsOf((await loaded(rig, sessionId)).client)).toEqual(["user: prompt 3"]);
    await client.connection.close();
    await rig.clock.advance(3_600_000); // the session sleeps
    expect(rig.gateway.status().sessions).toBe(0);
    const { client: second, removed } = await loaded(rig, sessionId);
    expect([promptsOf(second), removed]).toEqual([[], 3]);
    await runTurns(rig, second, sessionId, [4, 4]);
    expect(promptsOf((await loaded(rig, sessionId)).client)).toEqual(["user: prompt 4"]);
  });

  test("a session doesn't fall asleep while its expired turns are removed, even if that takes longer than sleepAfterMs", async () => {
    const clock = new ManualClock();
    const engine = memoryEngine({ now: () => clock.now() });
    const read = engine.read.bind(engine);
    let readMs = 0;
    engine.read = async (key, after, limits) => {
      if (readMs > 0) await new Promise<void>((resolve) => clock.after(readMs, resolve));
      return read(key, after, limits);
    };
    const { rig, sessionId } = await asleep(clock, engine);
    readMs = 2_000;
    const opened = loaded(rig, sessionId);
    await clock.advance(30_000);
    expect((await opened).removed).toBe(3);
    expect(rig.gateway.status().sessions).toBe(0); // it sleeps again
  });

  test.each([1, 2, 3, 4, 5])(
    "a client can load a session with expired turns if read %i of the engine fails",
    async (which) => {
      const clock = new ManualClock();
      const engine = memoryEngine({ now: () => clock.now() });
      const read = engine.read.bind(engine);
      let reads = Number.POSITIVE_INFINITY;
      engine.read = async (...args) => {
        reads += 1;
        if (reads === which) throw new EngineError("unavailable", "The engine does not respond");
        return read(...args);
      };
      const { rig, sessionId } = await asleep(clock, engine);
      reads = 0;
      const opened = loaded(rig, sessionId);
      await clock.advance(30_000);
      expect((await opened).removed).toBe(3);
      expect(reads).toBeGreaterThanOrEqual(which);
    },
  );

  test("a client can load a session although the engine fails to remove the expired turns, and they are removed later", async () => {
    const clock = new ManualClock();
    let fails = false;
    const engine = withTrim(memoryEngine({ now: () => clock.now() }), async () => {
      if (fails) throw new EngineError("unavailable", "The engine does not respond");
    });
    const rig = await start({
      ...{ clock, engine, retention: { maxAgeMs: 60_000 } },
      policy: { retention: { maxAgeMs: 60_000 }, sleepAfterMs: 10_000 },
      agent: loads,
    });
    const client = await rig.client();
    const sessionId = await client.newSession();
    await runTurns(rig, client, sessionId, [1, 3]);
    const chars = await charsOf(engine, sessionId);
    await clock.advance(3_600_000); // the session sleeps
    fails = true;
    const { client: second, removed } = await loaded(rig, sessionId);
    expect([promptsOf(second), removed]).toEqual([[], 3]);
    expect(await charsOf(engine, sessionId)).toBeGreaterThan(chars);
    fails = false;
    await clock.advance(allTimeDefaults().watchMs);
    expect(await charsOf(engine, sessionId)).toBeLessThan(chars);
  });

  test("never removes the running turn", async () => {
    const rig = await start({ retention: { maxAgeMs: 1_000, maxChars: 1, maxTurns: 1 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    await runTurns(rig, client, sessionId, [1, 3]);
    const { turn, response } = await rig.turn(client, sessionId, "long");
    turn.say("a");
    await rig.clock.advance(100_000);
    const { client: second } = await loaded(rig, sessionId);
    expect(second.log).toEqual(["user: long", "agent: a", "session/load -> ok"]);
    turn.end();
    await response;
  });

  test("sends a client that loads with a cursor no list of commands that is older than one it has received", async () => {
    const rig = await start({ retention: { maxTurns: 1 } });
    const client = await rig.client(ann, cursors);
    const sessionId = await client.newSession();
    for (const name of ["old", "new"]) {
      const { turn, response } = await rig.turn(client, sessionId, name);
      turn.update({ sessionUpdate: "available_commands_update", availableCommands: [{ name }] });
      turn.end();
      await response;
    }
    const cursor = cursorsOf(client).at(-1);
    await settled(); // the journal now has the entry `trimmed`, with the old list of commands, after the cursor
    const second = await rig.client(ann, cursors);
    await second.request("session/load", {
      ...{ sessionId, cwd: "/work", mcpServers: [] },
      _meta: { "acp-kit/cursor": cursor },
    });
    expect(second.log).toEqual(["session/load -> ok"]);
    const { client: third } = await loaded(rig, sessionId);
    expect(third.log.filter((line) => line.includes("commands"))).toEqual([
      'available_commands_update {"availableCommands":[{"name":"new"}]}',
    ]);
  });

  test("keeps the agent's newest list of commands", async () => {
    const rig = await start({ retention: { maxTurns: 1 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const commands = (name: string) => ({ sessionUpdate: "available_commands_update", availableCommands: [{ name }] });
    const { turn, response } = await rig.turn(client, sessionId);
    turn.update(commands("old"));
    turn.update(commands("new"));
    turn.end();
    await response;
    await runTurns(rig, client, sessionId, [1, 4]);
    const lists = async (): Promise<unknown[]> =>
      (await loaded(rig, sessionId)).client.updates
        .map(({ params }) => params.update)
        .filter(
          (update) => (update as { readonly sessionUpdate: string }).sessionUpdate === "available_commands_update",
        );
    expect(await lists()).toEqual([commands("new")]);
    const next = await rig.turn(client, sessionId, "again");
    next.turn.update(commands("newest"));
    next.turn.end();
    await next.response;
    await settled();
    expect(await lists()).toEqual([commands("newest")]);
  });

  test.each([1, 2, 3])(
    "never brings back a list of commands that the agent has replaced, with maxTurns %d",
    async (maxTurns) => {
      const rig = await start({ retention: { maxTurns } });
      const client = await rig.client();
      const sessionId = await client.newSession();
      const commands = (name: string) => ({
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name }],
      });
      for (const name of ["old", "new"]) {
        const { turn, response } = await rig.turn(client, sessionId, name);
        turn.update(commands(name));
        turn.end();
        await response;
      }
      for (let i = 1; i <= 8; i++) {
        await runTurns(rig, client, sessionId, [i, i]);
        const { updates } = (await loaded(rig, sessionId)).client;
        const lists = updates.map(({ params }) => params.update as { readonly sessionUpdate: string });
        const last = lists.findLast(({ sessionUpdate }) => sessionUpdate === "available_commands_update");
        expect(last, `after ${i} more turns`).toEqual(commands("new"));
      }
    },
  );

  test("does not delay turns while a slow engine trims", async () => {
    const clock = { now: () => 0 };
    const engine = memoryEngine(clock);
    let release = (): void => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const rig = await start({ retention: { maxTurns: 1 }, engine: withTrim(engine, () => slow) });
    const client = await rig.client();
    const sessionId = await client.newSession();
    await runTurns(rig, client, sessionId, [1, 5]);
    // The engine has removed no entry yet, but the entries to remove are no longer read.
    expect(promptsOf((await loaded(rig, sessionId)).client)).toHaveLength(4);
    release();
    await runTurns(rig, client, sessionId, [6, 7]);
    expect(promptsOf((await loaded(rig, sessionId)).client)).toEqual(["user: prompt 7"]);
  });

  test("gateway.retention: a slow client whose next entries are removed is disconnected, and its cursor is expired", async () => {
    const rig = await start({ retention: { maxTurns: 1 } });
    const client = await rig.client(ann, cursors);
    const sessionId = await client.newSession();
    const transport = rig.accept();
    const slow = new RawClient(transport);
    await slow.initialize(cursors);
    await slow.resume(sessionId);
    transport.pause();
    for (let i = 0; i < 4; i++) {
      const { turn, response } = await rig.turn(client, sessionId, `prompt ${i}`);
      for (let k = 0; k < 700; k++) turn.say(`${i}.${k} `);
      turn.end();
      await response;
      await settled();
    }
    transport.resume();
    await slow.connection.closed;
    expect(slow.text.startsWith("0.0 0.1 ")).toBe(true);
    expect(slow.text).not.toContain("3.0 "); // its received entries have no gap
    const again = await rig.client(ann, cursors);
    const cursor = slow.updates
      .map(({ params }) => (params._meta as Record<string, string> | undefined)?.["acp-kit/cursor"])
      .findLast((one) => one !== undefined);
    await expect(again.resume(sessionId, { "acp-kit/cursor": cursor })).rejects.toMatchObject({
      data: { reason: "cursor_expired" },
    });
  });

  test("a session that is trimmed during a load replays the kept entries", async () => {
    const rig = await start({ retention: { maxTurns: 2 }, limits: { maxPageEntries: 4, maxRecentChars: 500 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    await runTurns(rig, client, sessionId, [1, 2]);
    const { turn, response } = await rig.turn(client, sessionId, "prompt 3");
    const reader = await rig.client();
    const loading = reader.load(sessionId);
    turn.end();
    await response;
    await loading;
    expect(promptsOf(reader).at(-1)).toBe("user: prompt 3");
  });
});

async function charsOf(engine: Engine, sessionId: string): Promise<number> {
  const page = await engine.read({ scope: { tenant: ann.tenant, user: ann.user }, sessionId }, undefined, {
    maxEntries: 100_000,
    maxChars: 100_000_000,
  });
  return page.is === "page" ? page.entries.reduce((sum, { text }) => sum + text.length, 0) : Number.NaN;
}

/** Wraps an engine. Its trims first wait for `before`, and fail if it rejects. */
function withTrim(engine: Engine, before: () => Promise<void>): Engine {
  return new Proxy(engine, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      if (name !== "join") return value.bind(target) as unknown;
      return async (options: Parameters<Engine["join"]>[0]) => {
        const membership = await target.join(options);
        return {
          ...membership,
          trim: (...args: Parameters<typeof membership.trim>) => before().then(() => membership.trim(...args)),
        };
      };
    },
  });
}

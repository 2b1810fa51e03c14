import { type LinkedTransport, linkedTransports } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { expect, test } from "vitest";
import { RawClient } from "../test/raw-client.js";
import { ann, settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import { AgentHost } from "./agent/agent-host.js";
import { memoryEngine } from "./index.js";

const watcher = { ...ann, access: "observe" } as const;

test("gateway.bounded-memory: servers of MCP are checked, and those of an observer are not kept", async () => {
  const rig = await startRig({ limits: { maxQueuedBytes: 1_000_000 } });
  const client = await rig.client();
  const sessionId = await client.newSession();
  const load = (mcpServers: readonly unknown[]) => ({ sessionId, cwd: "/work", mcpServers });
  const many = Array.from({ length: 300 }, (_, index) => ({ name: `${index}` }));
  for (const wrong of [many, [{}], ["server"], [{ name: "long", command: "x".repeat(300_000) }]])
    await expect(client.request("session/load", load(wrong))).rejects.toMatchObject({ code: -32602 });
  const large = Array.from({ length: 10_000 }, () => ({})); // 30,000 characters, and 640,000 bytes in memory
  const observers = [await rig.client(watcher), await rig.client(watcher), await rig.client(watcher)];
  for (const observer of observers) await observer.request("session/load", load(large));
});

test("gateway.bounded-memory: a pending request counts with the memory of its parsed params, for its connection and its principal", async () => {
  const rig = await startRig({ limits: { maxQueuedBytes: 10_000 } });
  const first = await rig.client();
  const sessionId = await first.newSession();
  const { turn, response } = await rig.turn(first, sessionId);
  const call = (client: RawClient, objects: number) =>
    client.request("_wait", { sessionId, list: Array(objects).fill({}) });
  rig.agent.connection.onRequest("_wait", () => new Promise(() => {}));
  call(first, 100).catch(() => {});
  await settled();
  const limit = { data: { reason: "limit", limit: "maxQueuedBytes", retryAfterMs: 1_000 } };
  await expect(call(first, 100)).rejects.toMatchObject(limit); // 300 characters of text
  call(await rig.client(), 100).catch(() => {});
  await settled();
  // The principal has twice the limit of a connection
  await expect(call(await rig.client(), 100)).rejects.toMatchObject(limit);
  turn.end();
  await response;
});

test("gateway.bounded-memory: messages to an agent that does not read are refused above the limit", async () => {
  const [ours] = linkedTransports();
  let room: ReturnType<typeof deferred<void>> | undefined;
  Object.defineProperty(ours, "full", { get: () => room?.promise });
  const host = new AgentHost(ours, {
    clientCapabilities: {},
    clientInfo: { name: "test", version: "0" },
    initializeTimeoutMs: 0,
    maxUnreadBytes: 10_000,
    drainTimeoutMs: 0,
    callMcp: () => Promise.reject(new Error("no client")),
    onDiagnostic: undefined,
  });
  for (let count = 0; count < 10; count += 1) host.notify("_x", { text: "x".repeat(10_000) });
  host.assertReads();
  room = deferred();
  host.notify("_x", { text: "x".repeat(9_000) });
  host.assertReads();
  host.notify("_x", { text: "x".repeat(9_000) });
  expect(() => host.assertReads()).toThrow("The agent does not read");
  room.resolve();
  room = undefined;
  await settled();
  host.assertReads();
  await host.close();
});

test("gateway.bounded-memory: replays for clients that do not read are read from the journal one after the other, while there is room", async () => {
  const engine = memoryEngine();
  const rig = await startRig({ engine, limits: { maxQueuedBytes: 600_000 } });
  const client = await rig.client();
  const sessionId = await client.newSession();
  const { turn, response } = await rig.turn(client, sessionId);
  turn.say("x".repeat(150_000));
  turn.end();
  await response;
  const read = engine.read.bind(engine);
  let pages = 0;
  engine.read = (key, after, limits) => {
    if (after === undefined) pages += 1; // the first page of a replay
    return read(key, after, limits);
  };
  const stuck: { release: () => void; transport: LinkedTransport }[] = [];
  for (let count = 0; count < 6; count += 1) {
    const [ours, theirs] = linkedTransports();
    const full = deferred();
    let isStuck = false;
    Object.defineProperty(theirs, "full", { get: () => (isStuck ? full.promise : undefined) });
    rig.gateway.accept(theirs, watcher);
    const observer = new RawClient(ours);
    await observer.initialize();
    isStuck = true;
    observer.request("session/load", { sessionId, cwd: "/work", mcpServers: [] }).catch(() => {});
    stuck.push({
      transport: ours,
      release: () => {
        isStuck = false;
        full.resolve();
      },
    });
  }
  for (let ticks = 0; ticks < 20; ticks += 1) await settled();
  expect(pages).toBe(2); // a page counts 450,000 bytes of the 600,000 of an observer, and the last page may exceed them
  for (const { release } of stuck) release();
  for (let ticks = 0; ticks < 20; ticks += 1) await settled();
  expect(pages).toBe(6);
});

test("gateway.bounded-memory: a page of `session/list` is short, however long the folders and titles are", async () => {
  const rig = await startRig();
  const client = await rig.client();
  const additionalDirectories = Array.from({ length: 10 }, (_, index) => `/${index}${"x".repeat(4_000)}`);
  for (let count = 0; count < 5; count += 1) await client.newSession({ additionalDirectories });
  const seen: string[] = [];
  for (let cursor: unknown, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
    const page = (await client.request("session/list", cursor === undefined ? {} : { cursor })) as {
      sessions: { sessionId: string }[];
      nextCursor?: string;
    };
    expect(JSON.stringify(page).length).toBeLessThan(100_000);
    seen.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor;
  }
  expect(new Set(seen).size).toBe(5);
  expect(seen).toHaveLength(5);
  await expect(
    client.newSession({ additionalDirectories: Array(20).fill(`/${"x".repeat(4_000)}`) }),
  ).rejects.toMatchObject({ code: -32602 });
});

import type { RpcError } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, test } from "vitest";
import { resumes } from "../test/raw-agent.js";
import { RawClient } from "../test/raw-client.js";
import { ann, bob, type Rig, settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import { createGateway, gatewayErrorReason, memoryEngine } from "./index.js";
import { gatewayLimitDefaults } from "./limits.js";

/** The name of the limit in an error. */
async function limitOf(refused: Promise<unknown>): Promise<unknown> {
  const error = await refused.then(
    () => undefined,
    (reason: RpcError) => reason,
  );
  expect(gatewayErrorReason(error)).toBe("limit");
  return error?.data;
}

const reached = (rig: Rig): string[] =>
  rig.events.flatMap((event) => (event.type === "limit_reached" ? [`${event.principal.user} ${event.limit}`] : []));

describe("a principal that reaches a limit gets an error that names it", () => {
  test("gateway.limits: every limit has a default, and an error that names it", () => {
    for (const [name, value] of Object.entries(gatewayLimitDefaults)) expect(value, name).toBeGreaterThan(0);
  });

  test("a limit or a time that would not be applied is an error", async () => {
    const create = (options: object): Promise<unknown> =>
      createGateway({ engine: memoryEngine(), start: () => Promise.reject(new Error("not started")), ...options });
    await expect(create({ limits: { maxAgents: Number("many") } })).rejects.toThrow(
      "limits.maxAgents must be a number",
    );
    await expect(create({ limits: { maxAgent: 1 } })).rejects.toThrow(
      new TypeError('limits.maxAgent is unknown; did you mean "maxAgents"?'),
    );
    await expect(create({ times: { leaseMs: -1 } })).rejects.toThrow("times.leaseMs must be a number");
    await expect(create({ times: { replyMs: 1 } })).rejects.toThrow("times.replyMs is unknown");
  });

  test("connections", async () => {
    const rig = await startRig({ limits: { maxConnectionsPerPrincipal: 2 } });
    const [first] = [await rig.client(), await rig.client()];
    expect(() => rig.accept()).toThrow(
      expect.objectContaining({ data: { reason: "limit", limit: "maxConnectionsPerPrincipal" } }),
    );
    await rig.client(bob);
    await first.connection.close();
    await settled();
    await rig.client();
    expect(reached(rig)).toEqual(["ann maxConnectionsPerPrincipal"]);
  });

  test("gateway.shares: an observer has half of the limits of its user, in a separate count", async () => {
    const rig = await startRig({ limits: { maxConnectionsPerPrincipal: 4, maxJournals: 2 } });
    const watcher = { ...ann, access: "observe" } as const;
    const sessionId = await (await rig.client()).newSession();
    for (let count = 0; count < 2; count += 1) await rig.client(watcher);
    expect(() => rig.accept(watcher)).toThrow("At most 2 connections may be open at once");
    for (let count = 0; count < 3; count += 1) await rig.client();
    await rig.gateway.journal(watcher, sessionId);
    await expect(rig.gateway.journal(watcher, sessionId)).rejects.toThrow("At most 1 journals may be open at once");
    for (let count = 0; count < 2; count += 1) expect(await rig.gateway.journal(ann, sessionId)).toBeDefined();
  });

  test("sessions, including sleeping ones; each principal has its own limit", async () => {
    const rig = await startRig({ limits: { maxSessions: 2 } });
    const client = await rig.client();
    const id = await client.newSession();
    await client.newSession();
    expect(await limitOf(client.newSession())).toEqual({ reason: "limit", limit: "maxSessions" });
    await (await rig.client(bob)).newSession();
    await client.request("session/delete", { sessionId: id });
    const both = await Promise.allSettled([client.newSession(), client.newSession()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(reached(rig)).toEqual(["ann maxSessions", "ann maxSessions"]);
  });

  test("sessions: a session that is created while another one is counted counts once", async () => {
    const engine = memoryEngine();
    const rig = await startRig({ engine, limits: { maxSessions: 2 } });
    const client = await rig.client();
    const count = engine.count.bind(engine);
    let counts = 0;
    let goOn = (): void => {};
    engine.count = async (scope) => {
      if (counts++ === 1) await new Promise<void>((resolve) => (goOn = resolve));
      return count(scope);
    };
    const first = client.newSession();
    const second = client.newSession();
    await first;
    goOn();
    expect(await second).toEqual(expect.any(String));
  });

  test("open journals of any session; an unknown journal does not count after the look-up", async () => {
    const rig = await startRig({ limits: { maxJournals: 2 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const open = (id = sessionId, user = ann) => rig.gateway.journal(user, id);
    const [first] = [await open(), await open()];
    const refused = await open().then(
      () => undefined,
      (error: RpcError) => error,
    );
    expect([refused?.message, refused?.data]).toEqual([
      "At most 2 journals may be open at once",
      { reason: "limit", limit: "maxJournals" },
    ]);
    expect(await open(sessionId, bob)).toBeUndefined();
    first?.close();
    first?.close();
    for (let tries = 0; tries < 3; tries += 1) expect(await open("made-up")).toBeUndefined();
    (await open())?.close();
    expect(reached(rig)).toEqual(["ann maxJournals"]);
  });

  test("starts of agents within a minute; the error states when the next start is possible", async () => {
    const rig = await startRig({ limits: { maxAgentStarts: 3 } });
    const client = await rig.client(); // one start, to read the capabilities
    await client.newSession();
    await rig.clock.advance(20_000);
    await client.newSession();
    expect(await limitOf(client.newSession())).toEqual({
      reason: "limit",
      limit: "maxAgentStarts",
      retryAfterMs: 40_000,
    });
    await (await rig.client(bob)).newSession();
    await rig.clock.advance(40_000);
    await client.newSession();
    expect(reached(rig)).toEqual(["ann maxAgentStarts"]);
  });

  test("running agents", async () => {
    const rig = await startRig({ limits: { maxAgents: 1 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId, "1");
    expect(await limitOf(client.newSession())).toEqual({ reason: "limit", limit: "maxAgents" });
    turn.end();
    await response;
  });

  test("running agents: a session waits for an agent whose processes are still ending", async () => {
    const rig = await startRig({ limits: { maxAgents: 1 } });
    const client = await rig.client();
    const { response } = await rig.turn(client, await client.newSession());
    const { promise: ended, resolve: end } = deferred();
    rig.agents.at(-1)?.linger(ended);
    rig.agents.at(-1)?.kill();
    await expect(response).rejects.toMatchObject({ data: { reason: "agent_failed" } });
    const created = client.newSession();
    created.catch(() => {});
    await settled();
    end();
    expect(await created).toEqual(expect.any(String));
  });

  test("running agents: an idle session sleeps when another one needs its agent, and continues later", async () => {
    const rig = await startRig({ agent: resumes, limits: { maxAgents: 1 } });
    const client = await rig.client();
    const first = await client.newSession();
    const second = await client.newSession();
    for (const sessionId of [first, second, first]) {
      const { turn, response } = await rig.turn(client, sessionId, "1");
      turn.end();
      await response;
    }
    expect(rig.agents.filter(({ agent }) => agent.connection.state === "open")).toHaveLength(1);
  });

  test("running agents: a session whose agent can't open it again never sleeps for another session", async () => {
    const rig = await startRig({ limits: { maxAgents: 1 } });
    const client = await rig.client();
    const { turn, response } = await rig.turn(client, await client.newSession(), "1");
    turn.end();
    await response;
    expect(await limitOf(client.newSession())).toEqual({ reason: "limit", limit: "maxAgents" });
  });

  test("pending requests of a client", async () => {
    const rig = await startRig({ limits: { maxClientRequests: 2 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId, "1");
    const waiting = client.prompt(sessionId, "2");
    await settled();
    expect(await limitOf(client.request("session/list"))).toEqual({ reason: "limit", limit: "maxClientRequests" });
    turn.end();
    await response;
    expect(await client.request("session/list")).toMatchObject({ sessions: [{ sessionId }] });
    waiting.catch(() => {});
    expect(reached(rig)).toEqual(["ann maxClientRequests"]);
  });

  test("queued prompts, and their memory, with that of the running prompt", async () => {
    const rig = await startRig({ limits: { maxQueuedPrompts: 3, maxQueuedBytes: 20_000 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId, "x".repeat(10_000));
    const fits = client.prompt(sessionId, "x".repeat(4_000));
    fits.catch(() => {});
    expect(await limitOf(client.prompt(sessionId, "x".repeat(8_000)))).toEqual({
      reason: "limit",
      limit: "maxQueuedBytes",
      retryAfterMs: 1_000,
    });
    for (const text of ["a", "b"]) client.prompt(sessionId, text).catch(() => {});
    expect(await limitOf(client.prompt(sessionId, "c"))).toEqual({ reason: "limit", limit: "maxQueuedPrompts" });
    turn.end();
    await response;
  });

  test("pending requests of an agent; the agent receives the error", async () => {
    const rig = await startRig({ limits: { maxOpenRequests: 1 } });
    const client = new RawClient(rig.accept(ann));
    await client.initialize();
    const { turn } = await rig.turn(client, await client.newSession());
    turn.permission().catch(() => {});
    expect(await limitOf(turn.permission())).toEqual({ reason: "limit", limit: "maxOpenRequests" });
  });
});

import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, test } from "vitest";
import { cuttable } from "../test/cuttable-engine.js";
import { loads } from "../test/raw-agent.js";
import { ann, bob, type RigOptions, settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";

/** A session with a running turn. */
async function running(options?: RigOptions) {
  const rig = await startRig(options);
  const client = await rig.client();
  const sessionId = await client.newSession();
  const { turn, response } = await rig.turn(client, sessionId, "go");
  response.catch(() => {}); // some tests close the connection
  return { rig, client, sessionId, turn, response };
}

describe("a client that has not opened a session of its principal", () => {
  test("cancels the running turn", async () => {
    const { rig, sessionId, turn, response } = await running();
    const other = await rig.client();
    other.connection.notify("session/cancel", { sessionId });
    while (!turn.isCancelled) await settled();
    turn.end("cancelled");
    expect(await response).toMatchObject({ stopReason: "cancelled" });
    expect(other.log).toEqual([]);
  });

  test("cancels the running turn on another replica", async () => {
    const { rig, sessionId, turn } = await running();
    const second = await startRig({ clock: rig.clock, engine: rig.engine });
    (await second.client()).connection.notify("session/cancel", { sessionId });
    while (!turn.isCancelled) await settled();
  });

  test.each(["the same", "another"])("cancels a turn whose agent is still starting, on %s replica", async (which) => {
    const rig = await startRig({ agent: { ...loads, hangs: ["session/load"] } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response: before } = await rig.turn(client, sessionId, "before");
    turn.end();
    await before;
    rig.agents.at(-1)?.kill();
    const { length } = rig.agents;
    const response = client.prompt(sessionId, "go");
    while (rig.agents.length === length || rig.agent.received.length < 2) await settled();
    const second = which === "another" ? await startRig({ clock: rig.clock, engine: rig.engine }) : rig;
    (await second.client()).connection.notify("session/cancel", { sessionId });
    await settled();
    await rig.clock.advance(60_000);
    expect(await response).toMatchObject({ stopReason: "cancelled" });
  });

  test("cancels the turn of its earlier connection", async () => {
    const { rig, client, sessionId, turn } = await running();
    await client.connection.close();
    (await rig.client()).connection.notify("session/cancel", { sessionId });
    while (!turn.isCancelled) await settled();
  });

  test("cancels the running turn, and not its own next prompt", async () => {
    const { rig, sessionId, turn } = await running();
    const other = await rig.client();
    other.connection.notify("session/cancel", { sessionId });
    const next = other.prompt(sessionId, "next");
    while (!turn.isCancelled) await settled();
    turn.end("cancelled");
    while (rig.agent.turns.length < 2) await settled();
    rig.agent.turns[1]?.end();
    expect(await next).toMatchObject({ stopReason: "end_turn" });
  });

  test("does not cancel a prompt sent after the response to its next call, although the engine delivers late", async () => {
    const rig = await startRig();
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { engine, delaySent } = cuttable(rig.engine);
    const second = await startRig({ clock: rig.clock, engine });
    const other = await second.client();
    const late = deferred();
    delaySent(late.promise);
    other.connection.notify("session/cancel", { sessionId });
    await settled();
    delaySent(undefined);
    const next = other.resume(sessionId);
    await rig.clock.advance(1_000);
    await next;
    const { turn, response } = await rig.turn(client, sessionId, "later");
    late.resolve();
    await settled();
    expect(turn.isCancelled).toBe(false);
    turn.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
  });

  test("does not wake the session by a cancellation if no turn runs", async () => {
    const rig = await startRig({ policy: { sleepAfterMs: 1_000 } });
    const sessionId = await (await rig.client()).newSession();
    await rig.clock.advance(5_000);
    const other = await rig.client();
    other.connection.notify("session/cancel", { sessionId });
    await other.request("session/list");
    await settled();
    expect(rig.gateway.status().sessions).toBe(0);
  });

  test("closes the session and cancels its turn if no other client is attached", async () => {
    const { rig, client, sessionId, turn } = await running();
    await client.connection.close();
    const other = await rig.client();
    expect(await other.request("session/close", { sessionId })).toEqual({});
    expect(rig.gateway.status().sessions).toBe(0);
    expect(turn.isCancelled).toBe(true);
  });

  test("does not close a session that another client uses", async () => {
    const { rig, sessionId, turn, response } = await running();
    expect(await (await rig.client()).request("session/close", { sessionId })).toEqual({});
    turn.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
  });

  test("closes the session after the load that it has sent before", async () => {
    const { rig, client, sessionId, turn } = await running();
    await client.connection.close();
    const other = await rig.client();
    const loaded = other.load(sessionId);
    await other.request("session/close", { sessionId });
    await loaded;
    expect(turn.isCancelled).toBe(true);
    expect(rig.gateway.status().sessions).toBe(0);
  });

  test("keeps the session that it opens again while it closes it", async () => {
    const { rig, client, sessionId, turn } = await running({
      agent: loads,
    });
    const closed = client.request("session/close", { sessionId });
    await Promise.all([closed, client.load(sessionId)]);
    expect(turn.isCancelled).toBe(true);
    const other = await rig.client();
    other.prompt(sessionId, "of the other client").catch(() => {});
    await client.until(() => client.log.at(-1) === "user: of the other client");
  });
});

describe("gateway.isolation: a session that a client has not opened", () => {
  test.each([
    ["another principal", bob],
    ["an observer", { ...ann, access: "observe" }],
  ] as const)("is neither cancelled nor closed by %s", async (_, principal) => {
    const { rig, client, sessionId, turn } = await running();
    await client.connection.close();
    const other = await rig.client(principal);
    other.connection.notify("session/cancel", { sessionId });
    const outcome = (id: string): Promise<unknown> =>
      other.request("session/close", { sessionId: id }).catch((error: unknown) => error);
    const closed = await outcome(sessionId);
    if (principal === bob) expect(closed).toEqual(await outcome("made-up"));
    await rig.clock.advance(100);
    expect(turn.isCancelled).toBe(false);
    expect(rig.gateway.status().sessions).toBe(1);
  });
});

describe("a cancellation", () => {
  test.each(["here", "on another replica"])(
    "does not cancel a prompt that the client sends right after it, if the session runs %s",
    async (where) => {
      const { rig, client, sessionId, turn } = await running();
      let sender = client;
      if (where !== "here") {
        const second = await startRig({ clock: rig.clock, engine: rig.engine });
        sender = await second.client();
        await sender.resume(sessionId);
      }
      sender.connection.notify("session/cancel", { sessionId });
      const next = sender.prompt(sessionId, "next");
      while (!turn.isCancelled) await settled();
      turn.end("cancelled");
      for (let i = 0; i < 1_000 && rig.agent.turns.length < 2; i++) await settled();
      rig.agent.turns[1]?.end();
      expect(await next).toMatchObject({ stopReason: "end_turn" });
    },
  );

  test.each(["here", "on another replica"])(
    "cancels the prompt before it, and not the one after it, if the session runs %s",
    async (where) => {
      const rig = await startRig();
      const client = await rig.client();
      const sessionId = await client.newSession();
      let sender = client;
      if (where !== "here") {
        const second = await startRig({ clock: rig.clock, engine: rig.engine });
        sender = await second.client();
        await sender.resume(sessionId);
      }
      const first = sender.prompt(sessionId, "first");
      sender.connection.notify("session/cancel", { sessionId });
      const next = sender.prompt(sessionId, "next");
      const running = () => rig.agent.turns.find(({ text }) => text === "next");
      for (let i = 0; i < 1_000 && running() === undefined; i++) {
        for (const turn of rig.agent.turns) if (turn.isCancelled && turn.text === "first") turn.end("cancelled");
        await settled();
      }
      running()?.end();
      expect(await first).toMatchObject({ stopReason: "cancelled" });
      expect(await next).toMatchObject({ stopReason: "end_turn" });
    },
  );
});

import { describe, expect, test } from "vitest";
import { cuttable } from "../test/cuttable-engine.js";
import { ManualClock } from "../test/manual-clock.js";
import { loads } from "../test/raw-agent.js";
import { settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import { memoryEngine } from "./index.js";

describe("a cancellation right after its prompt", () => {
  test("cancels the prompt, although the client has not opened the session on this connection", async () => {
    const rig = await startRig({ policy: { cancelGraceMs: 1_000 } });
    const sessionId = await (await rig.client()).newSession();
    const client = await rig.client();
    void client.prompt(sessionId, "go");
    void client.connection.notify("session/cancel", { sessionId });
    await rig.clock.advance(2_000);
    expect(client.log).toEqual(["session/prompt -> cancelled"]);
  });

  test("cancels the prompt, although the engine fails when the prompt is sent first", async () => {
    const clock = new ManualClock();
    const { engine, cut } = cuttable(memoryEngine({ now: () => clock.now() }));
    const rig = await startRig({ clock, engine, agent: loads, policy: { sleepAfterMs: 1_000 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    await clock.advance(5_000);
    expect(rig.gateway.status().sessions).toBe(0); // so the prompt must acquire the session
    cut(true);
    const response = client.prompt(sessionId, "go");
    await settled();
    cut(false);
    void client.connection.notify("session/cancel", { sessionId });
    await clock.advance(1_000);
    for (const { agent } of rig.agents) expect(agent.turns).toEqual([]);
    expect(await response).toEqual({ stopReason: "cancelled" });
  });

  test("does not cancel the turn of another client, although the engine fails when the prompt is sent first", async () => {
    const clock = new ManualClock();
    const shared = memoryEngine({ now: () => clock.now() });
    const { engine, cut } = cuttable(shared);
    const first = await startRig({ clock, engine: shared });
    const second = await startRig({ clock, engine });
    const other = await first.client();
    const sessionId = await other.newSession();
    const client = await second.client();
    await client.resume(sessionId);
    const { turn } = await first.turn(other, sessionId, "of the other client");
    await clock.advance(3_000);
    cut(true);
    const response = client.prompt(sessionId, "go");
    await settled();
    cut(false);
    void client.connection.notify("session/cancel", { sessionId });
    await clock.advance(3_000);
    expect(turn.isCancelled).toBe(false);
    expect(await response).toMatchObject({ stopReason: "cancelled" });
  });
});

describe("a cancellation with a position", () => {
  const withCursors = { _meta: { "acp-kit/cursors": true } };
  const cursorOf = (value: unknown): unknown =>
    (value as { readonly _meta?: Readonly<Record<string, unknown>> })._meta?.["acp-kit/cursor"];

  test("cancels only a turn of another client that began at or before this position", async () => {
    const rig = await startRig();
    const other = await rig.client();
    const sessionId = await other.newSession();
    const first = await rig.turn(other, sessionId, "first");
    const client = await rig.client(undefined, withCursors);
    const before = cursorOf(await client.resume(sessionId));
    first.turn.end();
    await first.response;
    const second = await rig.turn(other, sessionId, "second");
    const cancelAt = async (cursor: unknown): Promise<void> => {
      void client.connection.notify("session/cancel", { sessionId, _meta: { "acp-kit/cursor": cursor } });
      await client.resume(sessionId); // the cancellation is handled first
    };
    await cancelAt(before);
    expect(second.turn.isCancelled).toBe(false);
    await cancelAt(cursorOf(await client.resume(sessionId)));
    expect(second.turn.isCancelled).toBe(true);
  });

  test("cancels no turn of another owner of the session", async () => {
    const rig = await startRig();
    const other = await rig.client();
    const sessionId = await other.newSession();
    const { turn } = await rig.turn(other, sessionId, "go");
    const client = await rig.client(undefined, withCursors);
    const cursor = String(cursorOf(await client.resume(sessionId)));
    const forged = cursor.replace(/\..*/, ".0");
    void client.connection.notify("session/cancel", { sessionId, _meta: { "acp-kit/cursor": forged } });
    await client.resume(sessionId);
    expect(turn.isCancelled).toBe(false);
  });
});

describe("a cancelled turn that ends in time", () => {
  test("leaves the next turn alone, and no timer, however often it was cancelled", async () => {
    const rig = await startRig({ agent: loads, policy: { cancelGraceMs: 10_000 } });
    const client = await rig.client();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId, "first");
    const { timers } = rig.clock;
    const agents = rig.agents.length;
    for (let i = 0; i < 100; i++) await client.connection.notify("session/cancel", { sessionId });
    const next = rig.turn(client, sessionId, "second");
    await settled();
    expect(rig.clock.timers - timers).toBe(1);
    turn.end("cancelled");
    expect(await response).toEqual({ stopReason: "cancelled" });
    const second = await next;
    expect(rig.clock.timers).toBe(timers);
    await rig.clock.advance(30_000);
    second.turn.say("still here");
    second.turn.end();
    expect(await second.response).toEqual({ stopReason: "end_turn" });
    expect(rig.agents).toHaveLength(agents);
  });

  test("leaves the requests of another session with the same agent to their users", async () => {
    const rig = await startRig({ agentPer: "principal" });
    const [client, other] = [await rig.client(), await rig.client()];
    const [sessionId, otherId] = [await client.newSession(), await other.newSession()];
    const { turn, response } = await rig.turn(client, sessionId, "first");
    const { turn: otherTurn } = await rig.turn(other, otherId, "second");
    const permission = turn.permission();
    const open = otherTurn.permission();
    await Promise.all([client, other].map((one) => one.until(() => one.requests.length === 1)));
    await client.connection.notify("session/cancel", { sessionId });
    expect(await permission).toEqual({ outcome: { outcome: "cancelled" } });
    turn.end("cancelled");
    await response;
    const yes = { outcome: { outcome: "selected", optionId: "yes" } };
    other.requests[0]?.respond(yes);
    expect(await open).toEqual(yes);
    expect(otherTurn.isCancelled).toBe(false);
  });
});

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

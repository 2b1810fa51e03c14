import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, test } from "vitest";
import { cuttable } from "../test/cuttable-engine.js";
import { ManualClock } from "../test/manual-clock.js";
import { loads } from "../test/raw-agent.js";
import { Rig } from "../test/rig.js";
import { memoryEngine } from "./index.js";

const times = { leaseMs: 3_000, engineGraceMs: 30_000 };

/** A session in a turn on the first of two replicas, and a client of the session at the second replica. */
async function running() {
  const clock = new ManualClock();
  const shared = memoryEngine({ now: () => clock.now() });
  const [{ engine: a, cut: cutFirst }, { engine: b, cut: cutSecond }] = [cuttable(shared), cuttable(shared)];
  const second = await Rig.start({ clock, engine: b, times }); // it renews before the first replica does
  const first = await Rig.start({ clock, engine: a, times });
  const creator = await first.client();
  const sessionId = await creator.newSession();
  const { turn, response } = await first.turn(creator, sessionId);
  const guest = await second.client();
  await guest.load(sessionId);
  return { clock, cutFirst, cutSecond, first, second, sessionId, guest, turn, response };
}

describe("gateway.outage: an engine that is unavailable for longer than a lease", () => {
  test("leaves each session to its owner, so that its turn continues", async () => {
    const { clock, cutFirst, cutSecond, first, second, sessionId, guest, turn, response } = await running();
    cutFirst(true);
    cutSecond(true);
    turn.say("during the outage");
    await clock.advance(10_000);
    cutSecond(false);
    const mode = guest.connection.request("session/set_mode", { sessionId, modeId: "plan" });
    await clock.advance(1_500); // the second replica is a member again, and the first one is not yet
    cutFirst(false);
    await clock.advance(5_000);
    turn.say("after it");
    turn.end();
    await clock.advance(1_000);
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    expect(await mode).toEqual({});
    expect(first.agent.methods()).toContain("session/set_mode");
    expect(guest.text).toBe("during the outageafter it");
    const types = [...first.events, ...second.events].map(({ type }) => type);
    expect(types).not.toContain("session_fenced");
    expect(types).not.toContain("session_taken_over");
  });

  test("delays the response of a client to a request of the agent", async () => {
    const { clock, cutSecond, guest, turn } = await running();
    const permission = turn.permission();
    await clock.advance(1_000); // the second replica reads the request from the engine
    cutSecond(true);
    guest.requests[0]?.respond({ outcome: { outcome: "selected", optionId: "yes" } });
    await clock.advance(times.engineGraceMs + 10_000);
    cutSecond(false);
    await clock.advance(3_000);
    turn.end();
    expect(await Promise.race([permission, clock.advance(10_000)])).toMatchObject({ outcome: { optionId: "yes" } });
  });

  test("keeps the response of a client that resumes the session during the outage, and does not send it the request again", async () => {
    const { clock, cutSecond, sessionId, guest, turn } = await running();
    const permission = turn.permission();
    await clock.advance(1_000);
    cutSecond(true);
    guest.requests[0]?.respond({ outcome: { outcome: "selected", optionId: "yes" } });
    await clock.advance(1_000);
    await guest.resume(sessionId);
    await clock.advance(times.engineGraceMs + 10_000);
    expect(guest.requests).toHaveLength(1);
    cutSecond(false);
    await clock.advance(3_000);
    expect(await Promise.race([permission, clock.advance(10_000)])).toMatchObject({ outcome: { optionId: "yes" } });
    turn.end();
  });

  test("delays the takeover of a session by at most one lease if its owner does not return", async () => {
    const { clock, cutFirst, cutSecond, second, sessionId } = await running();
    cutFirst(true);
    cutSecond(true);
    await clock.advance(10_000);
    cutSecond(false);
    const prompter = await second.client();
    void prompter.prompt(sessionId, "again").catch(() => {});
    const isTaken = (): boolean => second.events.some(({ type }) => type === "session_taken_over");
    let waitedMs = 0;
    for (; !isTaken() && waitedMs < 10 * times.leaseMs; waitedMs += 100) await clock.advance(100);
    expect(waitedMs).toBeGreaterThanOrEqual(times.leaseMs);
    expect(waitedMs).toBeLessThan(2 * times.leaseMs);
  });
});

/** A session in a turn, and an engine that can refuse entries. */
async function writing() {
  const clock = new ManualClock();
  const { engine, fill } = cuttable(memoryEngine({ now: () => clock.now() }));
  const rig = await Rig.start({ clock, engine, agent: loads });
  const client = await rig.client();
  const sessionId = await client.newSession();
  return { clock, fill, rig, client, sessionId, first: await rig.turn(client, sessionId, "1") };
}

describe("an engine that does not accept entries", () => {
  test.each(["full", "corrupt"] as const)(
    "(%s) ends a prompt with an error, after one start of the agent",
    async (code) => {
      const { clock, fill, rig, client, sessionId, first } = await writing();
      fill(code);
      first.turn.say("lost");
      const waiting = client.prompt(sessionId, "2");
      waiting.catch(() => {});
      await clock.advance(5_000);
      for (const response of [first.response, waiting])
        await expect(response).rejects.toMatchObject({ data: { reason: "engine_unavailable" } });
      const agents = rig.agents.length;
      const refused = expect(client.prompt(sessionId, "3")).rejects.toMatchObject({
        data: { reason: "engine_unavailable" },
      });
      await clock.advance(300_000);
      await refused;
      expect(rig.agents.length - agents).toBeLessThanOrEqual(1);
      fill(undefined);
      const { turn, response } = await rig.turn(client, sessionId, "4");
      turn.end();
      expect(await response).toEqual({ stopReason: "end_turn" });
      await rig.close();
    },
  );
});

describe("a prompt that arrives while an owner ends that could not write its entries", () => {
  test("runs when the agent has ended, if the engine accepts entries again", async () => {
    const { clock, fill, rig, client, sessionId, first } = await writing();
    const { promise: ended, resolve: end } = deferred();
    rig.agents.at(-1)?.linger(ended);
    fill("full");
    first.turn.say("lost");
    await clock.advance(5_000);
    await expect(first.response).rejects.toMatchObject({ data: { reason: "engine_unavailable" } });
    fill(undefined);
    const second = rig.turn(client, sessionId, "2");
    await clock.advance(1_000);
    end();
    const { turn, response } = await second;
    turn.end();
    expect(await response).toEqual({ stopReason: "end_turn" });
    await rig.close();
  });
});

describe("a journal that the engine can't read", () => {
  test("ends the pending prompt of a client on another replica with an error, and its connection", async () => {
    const clock = new ManualClock();
    const shared = memoryEngine({ now: () => clock.now() });
    const { engine, damage } = cuttable(shared);
    const [first, second] = [await Rig.start({ clock, engine: shared }), await Rig.start({ clock, engine })];
    const sessionId = await (await first.client()).newSession();
    const client = await second.client();
    await client.resume(sessionId);
    const response = client.prompt(sessionId, "go");
    response.catch(() => {});
    await clock.advance(1_000);
    damage(true);
    first.agent.turns[0]?.end();
    await expect(response).rejects.toMatchObject({ data: { reason: "engine_unavailable" } });
    await client.connection.closed;
    expect(second.events).toContainEqual({
      type: "engine_failed",
      error: expect.objectContaining({ code: "corrupt" }),
    });
    damage(false);
    await first.close();
    await second.close();
  });
});

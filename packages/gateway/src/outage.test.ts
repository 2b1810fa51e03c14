import { describe, expect, test } from "vitest";
import { cuttable } from "../test/cuttable-engine.js";
import { ManualClock } from "../test/manual-clock.js";
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

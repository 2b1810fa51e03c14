import { deferred } from "@acp-kit/jsonrpc/internal";
import { expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import { loads } from "../../test/raw-agent.js";
import { startRig } from "../../test/start-rig.js";
import type { Membership } from "../engine/engine.js";
import { EngineError } from "../engine/engine-error.js";
import { memoryEngine } from "../index.js";
import { allTimeDefaults } from "../limits.js";

test("a call is not executed twice if a late reply refuses an earlier attempt to send it", async () => {
  const clock = new ManualClock();
  const engine = memoryEngine({ now: () => clock.now() });
  const join = engine.join.bind(engine);
  const held = deferred();
  let isDelayed = false;
  let membership: Membership | undefined;
  engine.join = async (replica) => {
    membership = await join(replica);
    const { acquire, send } = membership;
    return {
      ...membership,
      acquire: async (...args) => {
        if (isDelayed) throw new EngineError("unavailable", "The engine does not respond");
        return acquire(...args);
      },
      send: async (...args) => {
        if (isDelayed) await held.promise;
        return send(...args);
      },
    };
  };
  const options = { clock, agent: { ...loads, hangs: ["session/set_mode"] }, policy: { sleepAfterMs: 300 } };
  const first = await startRig({ ...options, engine });
  engine.join = join; // only the first replica is delayed
  const second = await startRig({ ...options, engine });
  const executed = (): number =>
    [...first.agents, ...second.agents].filter(({ agent }) => agent.methods().includes("session/set_mode")).length;
  const creator = await first.client();
  const sessionId = await creator.newSession();
  const client = await second.client();
  await client.resume(sessionId);
  await client.request("_work", { sessionId }); // so the second replica knows the owner
  await clock.advance(500);
  expect(first.gateway.status().sessions).toBe(0);
  isDelayed = true;
  const called = client.request("session/set_mode", { sessionId, modeId: "plan" });
  const refused = expect(called).rejects.toMatchObject({ data: { reason: "turn_interrupted" } });
  await clock.advance(100); // the first replica replies that it doesn't own the session, and the reply is delayed
  isDelayed = false;
  const { replyMs, retryMs } = allTimeDefaults();
  await clock.advance(replyMs - 50);
  void creator.request("_work", { sessionId }); // so the first replica owns the session again
  await clock.advance(retryMs);
  expect(executed()).toBe(1); // the second attempt
  await membership?.leave();
  held.resolve(); // the reply to the first attempt arrives, and the first replica is no longer a member
  await clock.advance(30_000);
  expect(executed()).toBe(1);
  await refused;
});

test("a client gets the setting that it has changed, although its call got an error because the reply was lost", async () => {
  const clock = new ManualClock();
  const engine = memoryEngine({ now: () => clock.now() });
  const join = engine.join.bind(engine);
  let isLost = false;
  engine.join = async (replica) => {
    const joined = await join(replica);
    return { ...joined, send: async (...args) => (isLost ? true : joined.send(...args)) };
  };
  const setup = { modes: { currentModeId: "ask", availableModes: [] } };
  const first = await startRig({ clock, engine, agent: { ...loads, setup } });
  engine.join = join; // the first replica loses its replies
  const second = await startRig({ clock, engine, agent: { ...loads, setup } });
  const creator = await first.client();
  const sessionId = await creator.newSession();
  const client = await second.client();
  await client.resume(sessionId);
  isLost = true;
  const refused = expect(client.request("session/set_mode", { sessionId, modeId: "plan" })).rejects.toMatchObject({
    data: { reason: "engine_unavailable" },
  });
  await clock.advance(60_000);
  await refused;
  expect(client.log).toContain('current_mode_update {"currentModeId":"plan"}');
});

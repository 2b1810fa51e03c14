import { describe, expect, test } from "vitest";
import { cuttable } from "../test/cuttable-engine.js";
import { ManualClock } from "../test/manual-clock.js";
import { loads } from "../test/raw-agent.js";
import { Rig, settled } from "../test/rig.js";
import { memoryEngine } from "./index.js";

const yes = { outcome: { outcome: "selected", optionId: "yes" } };

/**
 * A session whose owner was replaced while it could not write: the new owner runs a turn that waits for a permission.
 */
async function replaced() {
  const clock = new ManualClock();
  const shared = memoryEngine({ now: () => clock.now() });
  const { engine, cut } = cuttable(shared);
  const first = await Rig.start({ clock, engine });
  const second = await Rig.start({ clock, engine: shared });
  const creator = await first.client();
  const sessionId = await creator.newSession();
  cut(true);
  await clock.advance(20_000); // the membership of the first replica ends
  const prompter = await second.client();
  await prompter.load(sessionId);
  const { turn, response } = await second.turn(prompter, sessionId);
  return { clock, cut, first, second, sessionId, prompter, turn, response };
}

describe("gateway.replaced-owner: an owner that does not know that another replica has replaced it", () => {
  test("leaves the response of its client to the new owner", async () => {
    const { clock, cut, first, sessionId, prompter, turn } = await replaced();
    const permission = turn.permission();
    await prompter.until(() => prompter.requests.length === 1);
    const client = await first.client();
    await client.load(sessionId);
    await client.until(() => client.requests.length === 1);
    client.requests[0]?.respond(yes);
    await settled();
    cut(false);
    await clock.advance(5_000);
    expect(await permission).toEqual(yes);
  });

  test("leaves a cancellation to the new owner", async () => {
    const { clock, cut, first, sessionId, turn } = await replaced();
    const client = await first.client();
    await client.load(sessionId);
    void client.connection.notify("session/cancel", { sessionId });
    await settled();
    expect(turn.isCancelled).toBe(false);
    cut(false);
    await clock.advance(5_000);
    expect(turn.isCancelled).toBe(true);
  });
});

describe("a replica that takes over a session", () => {
  test("reports no lost entries if it was reading the journal when the previous owner appended the last ones", async () => {
    const clock = new ManualClock();
    const shared = memoryEngine({ now: () => clock.now() });
    const { engine, delayRead } = cuttable(shared);
    const [first, second] = [
      await Rig.start({ clock, engine: shared }),
      await Rig.start({ clock, engine, agent: loads }),
    ];
    const creator = await first.client();
    const sessionId = await creator.newSession();
    const client = await second.client();
    await client.resume(sessionId);
    let read = (): void => {};
    delayRead(new Promise((resolve) => (read = resolve)));
    await clock.advance(2_000); // the second replica begins to read
    delayRead(undefined);
    const { turn, response } = await first.turn(creator, sessionId);
    turn.end();
    await response;
    await first.gateway.close();
    const next = second.turn(client, sessionId, "next");
    await settled();
    read();
    await clock.advance(1_000);
    (await next).turn.end();
    expect(await (await next).response).toEqual({ stopReason: "end_turn" });
    expect(second.events.map(({ type }) => type)).not.toContain("journal_lost");
    await second.close();
  });
});

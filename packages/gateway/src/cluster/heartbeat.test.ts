import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import { Heartbeat } from "./heartbeat.js";

/** A heartbeat with a lease of 3 s, on a membership that a test interrupts or ends. */
function beating() {
  const clock = new ManualClock();
  const engine = { isAvailable: true, isMember: true, responds: Promise.resolve() };
  const renewals: number[] = [];
  const failures: unknown[] = [];
  let attempts = 0;
  let ended = 0;
  const heartbeat = new Heartbeat({
    membership: {
      async renew() {
        attempts += 1;
        await engine.responds;
        if (!engine.isAvailable) throw new Error("no engine");
        renewals.push(clock.now());
        const { isMember } = engine;
        engine.isMember = true;
        return isMember;
      },
    },
    clock,
    leaseMs: 3_000,
    retryMs: 100,
    onEnded: () => {
      ended += 1;
    },
    onFailure: (error) => void failures.push(error),
  });
  return { clock, engine, heartbeat, renewals, failures, attempts: () => attempts, ended: () => ended };
}

describe("gateway.outage: a heartbeat", () => {
  test("renews the membership three times in each lease, until it is stopped", async () => {
    const { clock, heartbeat, renewals } = beating();
    await clock.advance(9_000);
    expect(renewals).toHaveLength(9);
    heartbeat.stop();
    await clock.advance(9_000);
    expect(renewals).toHaveLength(9);
    expect(clock.timers).toBe(0);
  });

  test("spares no ended holder while its own renewals succeed", async () => {
    const { clock, heartbeat } = beating();
    for (let ms = 0; ms < 10_000; ms += 100) {
      expect(heartbeat.sparesEnded).toBe(false);
      await clock.advance(100);
    }
  });

  test("repeats a renewal that fails, and spares ended holders until one lease after the next renewal", async () => {
    const { clock, engine, heartbeat, renewals, failures, attempts } = beating();
    engine.isAvailable = false;
    await clock.advance(1_000);
    expect(heartbeat.sparesEnded).toBe(true);
    expect(heartbeat.isEngineReachable).toBe(true);
    await clock.advance(5_000);
    expect(heartbeat.isEngineReachable).toBe(false);
    expect(attempts()).toBe(51);
    expect(failures).toHaveLength(6);
    engine.isAvailable = true;
    await clock.advance(100);
    expect(renewals).toEqual([clock.now()]);
    expect(heartbeat.isEngineReachable).toBe(true);
    await clock.advance(2_999);
    expect(heartbeat.sparesEnded).toBe(true);
    await clock.advance(1);
    expect(heartbeat.sparesEnded).toBe(false);
  });

  test("spares ended holders while the engine does not respond to a renewal for a third of a lease", async () => {
    const { clock, engine, heartbeat } = beating();
    let thaw = (): void => {};
    engine.responds = new Promise((resolve) => {
      thaw = resolve;
    });
    await clock.advance(2_000);
    expect(heartbeat.sparesEnded).toBe(false);
    await clock.advance(1);
    expect(heartbeat.sparesEnded).toBe(true);
    thaw();
    await clock.advance(2_999);
    expect(heartbeat.sparesEnded).toBe(true);
    await clock.advance(1);
    expect(heartbeat.sparesEnded).toBe(false);
  });

  test("reports that the membership had ended, and spares the other ended holders for one lease", async () => {
    const { clock, engine, heartbeat, ended } = beating();
    await clock.advance(1_500);
    engine.isMember = false;
    await clock.advance(500);
    expect(ended()).toBe(1);
    expect(heartbeat.sparesEnded).toBe(true);
    await clock.advance(3_000);
    expect(heartbeat.sparesEnded).toBe(false);
    expect(ended()).toBe(1);
  });
});

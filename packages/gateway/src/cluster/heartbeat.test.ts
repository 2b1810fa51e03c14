import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import { Heartbeat } from "./heartbeat.js";

/** A heartbeat with a lease of 3 s, on a membership that a test interrupts or ends. */
function beating() {
  const clock = new ManualClock();
  const engine = { isAvailable: true, isMember: true };
  const renewals: number[] = [];
  const failures: unknown[] = [];
  let ended = 0;
  const heartbeat = new Heartbeat({
    membership: {
      async renew() {
        if (!engine.isAvailable) throw new Error("no engine");
        renewals.push(clock.now());
        const { isMember } = engine;
        engine.isMember = true;
        return isMember;
      },
    },
    clock,
    leaseMs: 3_000,
    onEnded: () => {
      ended += 1;
    },
    onFailure: (error) => void failures.push(error),
  });
  return { clock, engine, heartbeat, renewals, failures, ended: () => ended };
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

  test("spares ended holders while a renewal is missing, and for one lease after the next renewal", async () => {
    const { clock, engine, heartbeat, failures } = beating();
    await clock.advance(1_000);
    engine.isAvailable = false;
    await clock.advance(2_000);
    expect(heartbeat.sparesEnded).toBe(false);
    await clock.advance(1);
    expect(heartbeat.sparesEnded).toBe(true);
    expect(heartbeat.isEngineReachable).toBe(true);
    await clock.advance(5_999);
    expect(heartbeat.isEngineReachable).toBe(false);
    engine.isAvailable = true;
    await clock.advance(1_000);
    expect(failures).toHaveLength(8);
    expect(heartbeat.isEngineReachable).toBe(true);
    await clock.advance(2_999);
    expect(heartbeat.sparesEnded).toBe(true);
    await clock.advance(1);
    expect(heartbeat.sparesEnded).toBe(false);
  });

  test("spares ended holders for half of the time at most if each of its renewals is late", async () => {
    const { clock, engine, heartbeat } = beating();
    let spared = 0;
    const seconds = 60;
    for (let second = 1; second <= seconds; second += 1) {
      engine.isAvailable = second % 3 === 0; // two of three renewals fail
      await clock.advance(1_000);
      if (heartbeat.sparesEnded) spared += 1;
    }
    expect(spared).toBeGreaterThan(seconds / 4);
    expect(spared).toBeLessThanOrEqual(seconds / 2);
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

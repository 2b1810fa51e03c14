import { expect, it } from "vitest";
import { createClock } from "./clock.js";

it("a clock advances only when the test advances it, and runs due actions in order", async () => {
  const clock = createClock({ now: 5 });
  const ran: string[] = [];
  clock.after(20, () => ran.push("20"));
  clock.after(10, () => ran.push("10"));
  clock.after(10, () => ran.push("10 again"));
  const cancel = clock.after(15, () => ran.push("never"));
  cancel();
  expect(clock.pending).toBe(3);
  await clock.advance(9);
  expect(ran).toEqual([]);
  await clock.advance(1);
  expect(ran).toEqual(["10", "10 again"]);
  await clock.advance(100);
  expect(ran).toEqual(["10", "10 again", "20"]);
  expect(clock.now()).toBe(115);
});

it("a clock settles the promises of one time before it runs the actions of the next", async () => {
  const clock = createClock();
  const ran: string[] = [];
  const walk = async (name: string, ms: number): Promise<void> => {
    for (let step = 1; step <= 2; step += 1) {
      await clock.sleep(ms);
      ran.push(`${name} ${step} at ${clock.now()}`);
    }
  };
  const walks = Promise.all([walk("slow", 30), walk("fast", 20)]);
  await clock.runAll();
  await walks;
  expect(ran).toEqual(["fast 1 at 20", "slow 1 at 30", "fast 2 at 40", "slow 2 at 60"]);
});

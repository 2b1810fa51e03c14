import { expect, it, vi } from "vitest";
import { createClock, systemClock } from "./clock.js";

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

it("an action after infinite time never runs, and the clock keeps its time", async () => {
  const clock = createClock();
  const ran: string[] = [];
  clock.after(Number.POSITIVE_INFINITY, () => ran.push("never"));
  clock.after(5, () => ran.push("5"));
  await clock.runAll();
  expect(ran).toEqual(["5"]);
  expect(clock.now()).toBe(5);
  expect(clock.pending).toBe(1);
});

it("concurrent calls of advance add up, even if an action fails", async () => {
  const clock = createClock();
  const ran: number[] = [];
  for (const ms of [5, 15, 25]) clock.after(ms, () => ran.push(clock.now()));
  await Promise.all([clock.advance(10), clock.advance(10)]);
  expect(clock.now()).toBe(20);
  expect(ran).toEqual([5, 15]);
  clock.after(2, () => {
    throw new Error("an action failed");
  });
  const [failed, next] = [clock.advance(10), clock.advance(10)];
  await expect(failed).rejects.toThrow("an action failed");
  await next;
  expect(ran).toEqual([5, 15, 25]);
});

it("the real clock waits for times that are longer than the longest timer", () => {
  vi.useFakeTimers();
  try {
    const day = 86_400_000;
    const ran: number[] = [];
    systemClock.after(60 * day, () => ran.push(60));
    const cancel = systemClock.after(61 * day, () => ran.push(61));
    vi.advanceTimersByTime(59 * day);
    expect(ran).toEqual([]);
    cancel();
    vi.advanceTimersByTime(10 * day);
    expect(ran).toEqual([60]);
  } finally {
    vi.useRealTimers();
  }
});

it("the real clock runs no action before its time, however long the time is", async () => {
  const ran: number[] = [];
  const cancels = [Number.POSITIVE_INFINITY, 1e12].map((ms) => systemClock.after(ms, () => ran.push(ms)));
  await new Promise((resolve) => systemClock.after(20, () => resolve(undefined)));
  for (const cancel of cancels) cancel();
  expect(ran).toEqual([]);
});

it("a time that is not a number is a TypeError", async () => {
  const clock = createClock();
  expect(() => clock.after(Number.NaN, () => {})).toThrow(TypeError);
  expect(() => systemClock.after(Number.NaN, () => {})).toThrow(TypeError);
  await expect(clock.sleep(Number.NaN)).rejects.toThrow(TypeError);
  expect(() => clock.advance(Number.NaN)).toThrow(TypeError);
  expect(() => clock.advance(-1)).toThrow(TypeError);
  expect(clock.now()).toBe(0);
});

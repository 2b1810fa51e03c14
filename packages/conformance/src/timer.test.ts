import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { after } from "./timer.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([0, 5, 60, 500, 60_000])("a limit of %i ms is over after this time", (ms) => {
  const over = vi.fn();
  after(ms, over);
  vi.advanceTimersByTime(Math.max(0, ms - 1));
  expect(over).toHaveBeenCalledTimes(ms === 0 ? 1 : 0);
  vi.advanceTimersByTime(1);
  expect(over).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("a limit can be stopped at any time", () => {
  const over = vi.fn();
  const stop = after(500, over);
  vi.advanceTimersByTime(300);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(over).not.toHaveBeenCalled();
});

test("a limit is not over when the process could not run for its whole time, until messages that arrived are handled", async () => {
  vi.useRealTimers();
  const order: string[] = [];
  const over = new Promise<void>((resolve) => {
    after(100, () => {
      order.push("over");
      resolve();
    });
  });
  const until = performance.now() + 150;
  setTimeout(() => setImmediate(() => setImmediate(() => order.push("message"))));
  while (performance.now() < until); // Nothing else of this process runs meanwhile.
  await over;
  expect(order).toEqual(["message", "over"]);
});

test("never ends after an infinite time", () => {
  after(Number.POSITIVE_INFINITY, () => {});
  expect(vi.getTimerCount()).toBe(0);
});

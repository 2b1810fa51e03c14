import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { after, every, settledWithin } from "./timer.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("runs after the delay, once", () => {
  const action = vi.fn();
  after(50, action);
  vi.advanceTimersByTime(49);
  expect(action).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(action).toHaveBeenCalledTimes(1);
});

it("leaves nothing behind when stopped", () => {
  const action = vi.fn();
  after(50, action)();
  expect(vi.getTimerCount()).toBe(0);
  vi.runAllTimers();
  expect(action).not.toHaveBeenCalled();
});

it.each([2 ** 31, Number.POSITIVE_INFINITY])(
  "treats %d ms as never, where a bare timer would fire immediately",
  (ms) => {
    const action = vi.fn();
    after(ms, action);
    every(ms, action);
    expect(vi.getTimerCount()).toBe(0);
  },
);

it("runs again and again until it is stopped", () => {
  const action = vi.fn();
  const stop = every(50, action);
  vi.advanceTimersByTime(150);
  expect(action).toHaveBeenCalledTimes(3);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

it("waits for a promise however it settles, and no longer than the limit", async () => {
  await settledWithin(50, Promise.resolve());
  await settledWithin(50, Promise.reject(new Error("ignored")));
  expect(vi.getTimerCount()).toBe(0);
  const late = settledWithin(50, new Promise(() => {}));
  vi.advanceTimersByTime(50);
  await late;
});

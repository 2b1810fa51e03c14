import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { after } from "./timer.js";

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

it.each([2 ** 31, Number.POSITIVE_INFINITY])("treats %d ms as never, where a bare timer would fire at once", (ms) => {
  const action = vi.fn();
  after(ms, action)();
  expect(vi.getTimerCount()).toBe(0);
});

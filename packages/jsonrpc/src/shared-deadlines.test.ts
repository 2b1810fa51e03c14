import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type SharedDeadline, SharedDeadlines } from "./shared-deadlines.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function deadlines(): { deadlines: SharedDeadlines; passed: SharedDeadline[] } {
  const passed: SharedDeadline[] = [];
  return { deadlines: new SharedDeadlines((deadline) => passed.push(deadline)), passed };
}

it("requests sent in the same tick share a timer, which lasts until the last one has left", () => {
  const { deadlines: all, passed } = deadlines();
  const [one, other] = [all.begin(100, 1), all.begin(100, 2)];
  expect(other).toBe(one);
  expect(vi.getTimerCount()).toBe(1);
  one.leave();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(99);
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(passed).toEqual([one]);
  expect([one.firstId, one.lastId]).toEqual([1, 2]);
});

it("continuations that are already queued belong to the same tick", async () => {
  const { deadlines: all } = deadlines();
  const begun: SharedDeadline[] = [];
  await Promise.all(Array.from({ length: 64 }, () => Promise.resolve().then(() => void begun.push(all.begin(100, 3)))));
  expect(new Set(begun).size).toBe(1);
  expect(vi.getTimerCount()).toBe(1);
});

it("a request sent later, or with a longer deadline, has a timer of its own: none passes early", async () => {
  const { deadlines: all, passed } = deadlines();
  const first = all.begin(100, 4);
  const long = all.begin(200, 5);
  await Promise.resolve();
  vi.advanceTimersByTime(50);
  const second = all.begin(100, 6);
  expect(new Set([first, long, second]).size).toBe(3);
  vi.advanceTimersByTime(50);
  expect(passed).toEqual([first]);
  vi.advanceTimersByTime(49);
  expect(passed).toEqual([first]);
  vi.advanceTimersByTime(1);
  expect(passed).toEqual([first, second]);
  vi.advanceTimersByTime(50);
  expect(passed).toEqual([first, second, long]);
});

it("a deadline that every request has left is over: the next request in the same tick starts another", () => {
  const { deadlines: all, passed } = deadlines();
  const first = all.begin(100, 7);
  first.leave();
  expect(vi.getTimerCount()).toBe(0);
  const second = all.begin(100, 8);
  expect(second).not.toBe(first);
  vi.advanceTimersByTime(100);
  expect(passed).toEqual([second]);
});

it("a deadline longer than a timer can hold never passes", () => {
  const { deadlines: all, passed } = deadlines();
  all.begin(Number.POSITIVE_INFINITY, 9).leave();
  all.begin(2 ** 31, 10);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1_000_000);
  expect(passed).toEqual([]);
});

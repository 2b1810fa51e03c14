import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BusyQueue } from "./busy-queue.js";

const busy = new Error("busy");
const given = new Error("gave up");

/** Work that finds the file locked until it is unlocked. */
function locked(timeoutMs = 1_000) {
  const done: string[] = [];
  const file = { isFree: false, attempts: 0 };
  const queue = new BusyQueue({
    timeoutMs,
    isBusy: (error) => error === busy,
    errorOf: (error) => (error === busy ? given : error),
  });
  const work = (name: string) => (): string => {
    file.attempts++;
    if (!file.isFree) throw busy;
    done.push(name);
    return name;
  };
  return { queue, work, done, file };
}

describe("work on a file that another process may have locked", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  test("is done immediately when the file is free", () => {
    const { queue, work, file } = locked();
    file.isFree = true;
    expect(queue.run(work("a"))).toBe("a");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waits without blocking, in order", async () => {
    const { queue, work, done, file } = locked();
    const first = queue.run(work("a"));
    file.isFree = true;
    const second = queue.run(work("b"));
    expect(done).toEqual([]);
    await vi.runAllTimersAsync();
    expect(await Promise.all([first, second])).toEqual(["a", "b"]);
    expect(done).toEqual(["a", "b"]);
    expect(queue.run(work("c"))).toBe("c");
  });

  test("is retried at growing intervals, and fails after its time", async () => {
    const { queue, work, file } = locked();
    const results = [queue.run(work("a")), queue.run(work("b"))];
    const settled = Promise.allSettled(results);
    await vi.advanceTimersByTimeAsync(999);
    expect(file.attempts).toBeLessThan(60);
    await vi.advanceTimersByTimeAsync(50);
    expect((await settled).map((one) => (one as PromiseRejectedResult).reason)).toEqual([given, given]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fails immediately with a time of 0", () => {
    const { queue, work } = locked(0);
    expect(() => queue.run(work("a"))).toThrow(given);
  });

  test("fails alone: the work queued after it is done", async () => {
    const { queue, work, file } = locked();
    const first = queue.run(work("a"));
    const failing = queue.run(() => {
      throw new TypeError("wrong");
    });
    const settled = Promise.allSettled([first, failing, queue.run(work("c"))]);
    file.isFree = true;
    await vi.runAllTimersAsync();
    expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(() =>
      queue.run(() => {
        throw new TypeError("wrong");
      }),
    ).toThrow(TypeError);
  });
});

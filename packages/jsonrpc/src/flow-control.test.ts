import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FlowControl, type FlowLimits } from "./flow-control.js";

const overhead = 512;

function setUp(limits: Partial<FlowLimits> = {}) {
  const log: string[] = [];
  const watcher = {
    starving: false,
    judged: 0,
    starves() {
      watcher.judged += 1;
      return watcher.starving;
    },
    full: () => log.push("full"),
    stalled: () => log.push("stalled"),
  };
  const transport = { pause: () => log.push("pause"), resume: () => log.push("resume") };
  const flow = new FlowControl(
    transport,
    { highWaterMarkBytes: 10_000, maxBacklogBytes: 80_000, stallTimeoutMs: 1_000, ...limits },
    watcher,
  );
  const add = (bytes: number, key = "a"): void => flow.lanes.add(key, bytes - overhead);
  const remove = (bytes: number, key = "a"): void => flow.lanes.remove(key, bytes - overhead);
  return { flow, watcher, log, add, remove };
}

it("pauses above the mark and resumes below half of it", () => {
  const { log, add, remove } = setUp();
  add(6_000);
  add(4_000);
  expect(log).toEqual([]);
  add(1_000);
  expect(log).toEqual(["pause"]);
  remove(4_000);
  expect(log).toEqual(["pause"]);
  remove(6_000);
  expect(log).toEqual(["pause", "resume"]);
});

it("counts the queues of consumers too", () => {
  const { flow, log } = setUp();
  flow.queues.add("a", 6_000);
  flow.lanes.add("b", 6_000);
  expect(log).toEqual(["pause"]);
});

it("removes no more than was added", () => {
  const { flow, add, remove } = setUp();
  remove(5_000);
  add(1_000);
  remove(5_000);
  remove(5_000, "b");
  expect(flow.total).toBe(0);
});

describe("while a request is starving", () => {
  it("reads on up to the maximum, then pauses and reports it", () => {
    const { watcher, log, add } = setUp();
    watcher.starving = true;
    for (let total = 0; total < 80_000; total += 1_000) add(1_000);
    expect(log).toEqual([]);
    add(1_000);
    expect(log).toEqual(["pause", "full"]);
  });

  it("resumes as soon as there is some room below the maximum", () => {
    const { watcher, log, add, remove } = setUp();
    watcher.starving = true;
    for (let total = 0; total <= 80_000; total += 1_000) add(1_000);
    for (let total = 81_000; total > 70_000; total -= 1_000) remove(1_000);
    expect(log).toEqual(["pause", "full", "resume"]);
  });

  it("resumes immediately when a request starts starving during a pause", () => {
    const { flow, watcher, log, add } = setUp();
    add(11_000);
    watcher.starving = true;
    flow.awaited();
    expect(log).toEqual(["pause", "resume"]);
  });

  it("resumes when a request starts starving because a lane is empty", () => {
    const { watcher, log, add, remove } = setUp();
    add(11_000);
    add(1_000, "b");
    watcher.starving = true;
    remove(1_000, "b");
    expect(log).toEqual(["pause", "resume"]);
  });

  it("pauses some bytes after the last starving request has settled", () => {
    const { watcher, log, add } = setUp();
    watcher.starving = true;
    add(11_000);
    watcher.starving = false;
    for (let i = 0; i < 3; i += 1) add(1_000);
    expect(log).toEqual(["pause"]);
  });
});

it("looks at pending requests rarely: not at every message, however many there are", () => {
  const { watcher, add } = setUp({ highWaterMarkBytes: 100_000, maxBacklogBytes: 10_000_000 });
  watcher.starving = true;
  for (let i = 0; i < 20_000; i += 1) add(1_000); // a transport may go on delivering while it is paused
  expect(watcher.judged).toBeLessThan(1_000);
});

describe("a standstill", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const fill = (add: (bytes: number) => void): void => {
    for (let i = 0; i < 81; i += 1) add(1_000);
  };

  it("is reported after the time in which no message was handled", () => {
    const { watcher, log, add } = setUp();
    watcher.starving = true;
    fill(add);
    vi.advanceTimersByTime(999);
    expect(log).toEqual(["pause", "full"]);
    vi.advanceTimersByTime(1);
    expect(log).toEqual(["pause", "full", "stalled"]);
  });

  it("is not reported while messages are handled, however slowly", () => {
    const { watcher, log, add, remove } = setUp();
    watcher.starving = true;
    fill(add);
    for (let i = 0; i < 5; i += 1) {
      vi.advanceTimersByTime(900);
      remove(1_000);
    }
    expect(log).toEqual(["pause", "full"]);
  });

  it("is over when no request is starving any more", () => {
    const { watcher, log, add, remove } = setUp();
    watcher.starving = true;
    fill(add);
    watcher.starving = false;
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
    for (let i = 0; i < 81; i += 1) remove(1_000);
    expect(log).toEqual(["pause", "full", "stalled", "resume"]);
  });

  it("is never reported with 0, nor after the end", () => {
    const never = setUp({ stallTimeoutMs: 0 });
    never.watcher.starving = true;
    fill(never.add);
    const ended = setUp();
    ended.watcher.starving = true;
    fill(ended.add);
    ended.flow.stop();
    vi.advanceTimersByTime(100_000);
    expect(never.log).toEqual(["pause", "full"]);
    expect(ended.log).toEqual(["pause", "full"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

import { expect, it } from "vitest";
import { FlowControl } from "./flow-control.js";

const overhead = 512;

function setUp(maxBacklogBytes = 10_000) {
  const log: string[] = [];
  const state = { awaited: false, judged: 0 };
  const transport = { pause: () => log.push("pause"), resume: () => log.push("resume") };
  const flow = new FlowControl(transport, {
    maxBacklogBytes,
    isAwaited: () => {
      state.judged += 1;
      return state.awaited;
    },
    exceeded: (bytes) => log.push(`exceeded ${bytes}`),
  });
  const add = (bytes: number, key = "a"): void => flow.add(key, bytes - overhead);
  const remove = (bytes: number, key = "a"): void => flow.remove(key, bytes - overhead);
  return { flow, state, log, add, remove };
}

it("pauses above the mark and resumes at half of it", () => {
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

it("reads on while a response is awaited, and reports the message that arrives above six times the mark, once", () => {
  const { state, log, add } = setUp();
  state.awaited = true;
  for (let total = 0; total < 60_000; total += 1_000) add(1_000);
  expect(log).toEqual([]);
  add(1_000);
  add(1_000);
  expect(log).toEqual(["pause", "exceeded 60000"]);
});

it("accepts one message of any size", () => {
  const { state, log, add, remove } = setUp();
  add(1_000_000);
  expect(log).toEqual(["pause"]);
  remove(1_000_000);
  state.awaited = true;
  add(1_000_000);
  expect(log).toEqual(["pause", "resume"]);
});

it("removes no more than was added", () => {
  const { log, add, remove } = setUp();
  add(11_000);
  remove(5_000, "b"); // for example, it was added to an earlier connection
  expect(log).toEqual(["pause"]);
  remove(20_000);
  add(10_000);
  expect(log).toEqual(["pause", "resume"]);
  add(1_000);
  expect(log).toEqual(["pause", "resume", "pause"]);
});

it("decides again when a lane is empty: the response to an ordered request then no longer waits for it", () => {
  const { state, log, add, remove } = setUp();
  add(11_000);
  add(1_000, "b");
  state.awaited = true;
  remove(1_000, "b");
  expect(log).toEqual(["pause", "resume"]);
});

it("resumes when a caller begins to await a response", () => {
  const { flow, state, log, add } = setUp();
  add(11_000);
  flow.check();
  expect(log).toEqual(["pause"]);
  state.awaited = true;
  flow.check();
  expect(log).toEqual(["pause", "resume"]);
});

it("pauses some bytes after the last awaited response has arrived", () => {
  const { state, log, add } = setUp();
  state.awaited = true;
  add(11_000);
  state.awaited = false;
  for (let i = 0; i < 3; i += 1) add(1_000);
  expect(log).toEqual(["pause"]);
});

it("decides nothing after it was stopped", () => {
  const { flow, log, add } = setUp();
  flow.stop();
  for (let total = 0; total < 80_000; total += 1_000) add(1_000);
  flow.check();
  expect(log).toEqual([]);
});

it("looks at pending requests rarely: not at every message, however many there are", () => {
  const { state, add } = setUp(10_000_000);
  state.awaited = true;
  for (let i = 0; i < 50_000; i += 1) add(1_000);
  expect(state.judged).toBeGreaterThan(0);
  expect(state.judged).toBeLessThan(100);
});

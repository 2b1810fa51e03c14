import { describe, expect, it } from "vitest";
import { type Gate, gate, turn } from "../test/settle.js";
import { Lanes } from "./lanes.js";

interface Job {
  readonly name: string;
  /** The queue of the lane. */
  readonly until?: Gate;
  readonly during?: () => void;
}

function setUp() {
  const log: string[] = [];
  let waiting = 0;
  const lanes = new Lanes<Job, () => void>(
    {
      run({ name, until, during }) {
        log.push(name);
        during?.();
        return until?.promise;
      },
      pass: (entry) => entry(),
      contentOf: () => undefined,
      failed: ({ name }, cause) => log.push(`${name} failed: ${cause}`),
      freed: () => log.push("freed"),
    },
    {
      add() {
        waiting += 1;
      },
      remove() {
        waiting -= 1;
      },
    },
  );
  return { lanes, log, waiting: () => waiting };
}

it("starts a message whose lane is free synchronously", () => {
  const { lanes, log } = setUp();
  lanes.deliver("a", { name: "1" }, 0);
  lanes.deliver("a", { name: "2" }, 0);
  expect(log).toEqual(["1", "2"]);
  expect(lanes.idle).toBe(true);
});

it("starts a message when the one before it has finished, and blocks no other lane", async () => {
  const { lanes, log, waiting } = setUp();
  const slow = gate();
  lanes.deliver("a", { name: "a1", until: slow }, 0);
  lanes.deliver("a", { name: "a2" }, 0);
  lanes.deliver("b", { name: "b1" }, 0);
  await turn();
  expect(log).toEqual(["a1", "b1"]);
  expect(waiting()).toBe(1);
  slow.open();
  await turn();
  expect(log).toEqual(["a1", "b1", "a2", "freed"]);
  expect(waiting()).toBe(0);
});

it("continues after a message that failed", async () => {
  const { lanes, log } = setUp();
  const broken = gate();
  lanes.deliver("a", { name: "1", until: broken }, 0);
  lanes.deliver("a", { name: "2" }, 0);
  broken.break("oh");
  await turn();
  expect(log).toEqual(["1", "1 failed: oh", "2", "freed"]);
});

describe("a non-blocking entry", () => {
  it("waits for messages before it, and messages after it don't wait for it", async () => {
    const { lanes, log } = setUp();
    const slow = gate();
    lanes.deliver("a", { name: "1", until: slow }, 0);
    lanes.pass("a", () => log.push("answer"), 0);
    lanes.deliver("a", { name: "2" }, 0);
    expect(log).toEqual(["1"]);
    slow.open();
    await turn();
    expect(log).toEqual(["1", "answer", "2", "freed"]);
  });

  it("does not block the lane, even after it was queued in it", async () => {
    const { lanes } = setUp();
    const slow = gate();
    const held: boolean[] = [];
    lanes.pass("a", () => held.push(lanes.isHeld("a")), 0);
    lanes.deliver("a", { name: "1", until: slow, during: () => held.push(lanes.isHeld("a")) }, 0);
    lanes.pass("a", () => held.push(lanes.isHeld("a")), 0);
    slow.open();
    await turn();
    expect(held).toEqual([false, true, false]);
  });
});

describe("messages that a transport delivers from inside a handler", () => {
  it("wait until that handler has returned, in order", () => {
    const { lanes, log } = setUp();
    const during = () => {
      lanes.deliver("a", { name: "2", during: () => lanes.deliver("a", { name: "4" }, 0) }, 0);
      lanes.pass("a", () => log.push("3"), 0);
      log.push("1 returns");
    };
    lanes.deliver("a", { name: "1", during }, 0);
    expect(log).toEqual(["1", "1 returns", "2", "3", "4"]);
  });

  it("wait until it has finished, if that comes later", async () => {
    const { lanes, log } = setUp();
    const slow = gate();
    lanes.deliver("a", { name: "1", until: slow, during: () => lanes.deliver("a", { name: "2" }, 0) }, 0);
    await turn();
    expect(log).toEqual(["1"]);
    slow.open();
    await turn();
    expect(log).toEqual(["1", "2", "freed"]);
  });

  it("for another lane don't wait for that", async () => {
    const { lanes, log } = setUp();
    lanes.deliver("a", { name: "a1", until: gate(), during: () => lanes.deliver("b", { name: "b1" }, 0) }, 0);
    expect(log).toEqual(["a1", "b1"]);
  });
});

it("drops queued messages when it is cleared, and returns their number", async () => {
  const { lanes, log } = setUp();
  const slow = gate();
  lanes.deliver("a", { name: "1", until: slow }, 0);
  lanes.deliver("a", { name: "2" }, 0);
  lanes.pass("a", () => log.push("answer"), 0);
  expect(lanes.clear()).toBe(2);
  slow.open();
  await turn();
  expect(log).toEqual(["1", "freed"]);
});

it("drains 200,000 messages in order, some of them slow", async () => {
  const { lanes, log, waiting } = setUp();
  const first = gate();
  const done = gate();
  const count = 200_000;
  lanes.deliver("a", { name: "first", until: first }, 0);
  for (let i = 0; i < count; i += 1) {
    const until = i % 1000 === 0 ? gate() : undefined;
    until?.open();
    lanes.deliver("a", { name: String(i), ...(until && { until }) }, 0);
  }
  lanes.pass("a", () => done.open(), 0);
  expect(waiting()).toBe(count + 1);
  first.open();
  await done.promise;
  expect(log.slice(1, count + 1).every((name, index) => name === String(index))).toBe(true);
});

it("keeps lanes apart that are blocked and freed in any order", async () => {
  const { lanes, log } = setUp();
  const gates = { a: gate(), b: gate(), c: gate(), a2: gate() };
  lanes.deliver("a", { name: "a1", until: gates.a }, 0);
  lanes.deliver("b", { name: "b1", until: gates.b }, 0);
  gates.a.open();
  await turn();
  expect([lanes.isHeld("a"), lanes.isHeld("b"), lanes.isBlocked("a")]).toEqual([false, true, false]);
  lanes.deliver("c", { name: "c1", until: gates.c }, 0);
  lanes.deliver("a", { name: "a2", until: gates.a2 }, 0);
  lanes.deliver("a", { name: "a3" }, 0);
  gates.b.open();
  gates.c.open();
  await turn();
  expect([lanes.isHeld("a"), lanes.isHeld("b"), lanes.isHeld("c"), lanes.idle]).toEqual([true, false, false, false]);
  lanes.deliver("b", { name: "b2" }, 0);
  gates.a2.open();
  await turn();
  expect(log).toEqual(["a1", "b1", "freed", "c1", "a2", "freed", "freed", "b2", "a3", "freed"]);
  expect(lanes.idle).toBe(true);
});

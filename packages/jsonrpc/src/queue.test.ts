import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Queue } from "./queue.js";

it("returns entries in order, however pushing and taking alternate", () => {
  const steps = fc.array(fc.record({ push: fc.nat(3_000), take: fc.nat(3_000) }), { maxLength: 10 });
  fc.assert(
    fc.property(steps, (rounds) => {
      const queue = new Queue<{ readonly n: number }>();
      let pushed = 0;
      const taken: (number | undefined)[] = [];
      const expected: (number | undefined)[] = [];
      let next = 0;
      for (const { push, take } of rounds) {
        for (let i = 0; i < push; i += 1) queue.push({ n: pushed++ });
        for (let i = 0; i < take; i += 1) {
          taken.push(queue.take()?.n);
          expected.push(next < pushed ? next++ : undefined);
        }
        expect(queue.length).toBe(pushed - next);
      }
      expect(taken.join()).toBe(expected.join());
    }),
    { numRuns: 50 },
  );
});

it("takes and refills entries in linear time", async () => {
  const refill = (entries: number): void => {
    const queue = new Queue<object>();
    const entry = {};
    for (let i = 0; i < entries; i += 1) queue.push(entry);
    for (let i = 0; i < entries; i += 1) {
      if (queue.take() !== entry) throw new Error(`entry ${i} is missing`);
      queue.push(entry);
      if (i % 2 === 0) queue.take();
    }
    expect(queue.length).toBe(entries / 2);
  };
  expect(await growthOf(refill)).toBeLessThan(LINEAR);
});

it("drops everything when it is cleared", () => {
  const queue = new Queue<object>();
  queue.push({});
  queue.clear();
  expect([queue.length, queue.take()]).toEqual([0, undefined]);
});

import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UpdateQueue } from "./update-queue.js";

function backlog(): { add(key: string, size: number): void; remove(key: string, size: number): void; waiting: number } {
  return {
    waiting: 0,
    add(_key, size) {
      this.waiting += size;
    },
    remove(_key, size) {
      this.waiting -= size;
    },
  };
}

const limits = { maxBufferedUpdates: 10_000, maxBufferedBytes: 100_000_000 };

describe("a turn's updates", () => {
  test("updates from before a consumer reads are read first", async () => {
    const queue = new UpdateQueue<number>(backlog(), "s", limits);
    queue.push(1, 10);
    queue.push(2, 10);
    queue.end();
    expect(await collect(queue)).toEqual([1, 2]);
  });

  test("count as backlog only while a consumer reads", async () => {
    const counted = backlog();
    const queue = new UpdateQueue<number>(counted, "s", limits);
    queue.push(1, 10);
    queue.push(2, 10);
    expect(counted.waiting).toBe(0);
    for await (const item of queue) {
      expect(item).toBe(1);
      queue.push(3, 5);
      expect(counted.waiting).toBe(15);
      break;
    }
    expect(counted.waiting).toBe(0);
    queue.push(4, 10);
    expect(counted.waiting).toBe(0);
  });

  test("can be read once", async () => {
    const queue = new UpdateQueue<number>(backlog(), "s", limits);
    queue.end();
    await collect(queue);
    await expect(collect(queue)).rejects.toThrow(TypeError);
  });

  test("are bounded before a consumer reads, and a consumer that comes too late gets an error", async () => {
    const queue = new UpdateQueue<number>(backlog(), "s", limits);
    for (let n = 0; n <= 10_000; n += 1) queue.push(n, 1);
    await expect(collect(queue)).rejects.toThrow("more than 10000");
  });

  test("are bounded by their bytes, too", async () => {
    const small = { maxBufferedUpdates: 10_000, maxBufferedBytes: 100 };
    const fits = new UpdateQueue<number>(backlog(), "s", small);
    fits.push(1, 60);
    fits.push(2, 40);
    fits.end();
    expect(await collect(fits)).toEqual([1, 2]);
    const tooMuch = new UpdateQueue<number>(backlog(), "s", small);
    tooMuch.push(1, 60);
    tooMuch.push(2, 41);
    await expect(collect(tooMuch)).rejects.toThrow("more than 100 bytes");
  });

  test("are not bounded while a consumer reads: the connection pauses instead", async () => {
    const queue = new UpdateQueue<number>(backlog(), "s", { maxBufferedUpdates: 1, maxBufferedBytes: 1 });
    const read = collect(queue);
    for (const n of [1, 2, 3]) queue.push(n, 1_000);
    queue.end();
    expect(await read).toEqual([1, 2, 3]);
  });

  test("any interleaving of pushing, reading and ending gives every item once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom("push", "yield"), { maxLength: 60 }), async (steps) => {
        const counted = backlog();
        const queue = new UpdateQueue<number>(counted, "s", limits);
        const read = collect(queue);
        let pushed = 0;
        for (const step of steps) {
          if (step === "push") queue.push(pushed++, 1);
          else await Promise.resolve();
        }
        queue.end();
        expect(await read).toEqual(Array.from({ length: pushed }, (_, n) => n));
        expect(counted.waiting).toBe(0);
      }),
    );
  });

  test("buffered items are read in linear time", async () => {
    const read = async (count: number): Promise<void> => {
      const queue = new UpdateQueue<number>(backlog(), "s", limits);
      const reader = queue[Symbol.asyncIterator]();
      const first = reader.next();
      for (let n = 0; n < count; n += 1) queue.push(n, 1);
      queue.end();
      let sum = (await first).value as number;
      for await (const item of { [Symbol.asyncIterator]: () => reader }) sum += item;
      expect(sum).toBe((count * (count - 1)) / 2);
    };
    expect(await growthOf(read, { from: 2_000 })).toBeLessThan(LINEAR);
  });
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

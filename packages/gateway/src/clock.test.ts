import { expect, it } from "vitest";
import { gatewaySystemClock } from "./clock.js";

it("gateway.turns: of the callers that wait for a turn of the event loop, one continues in each turn, in their order", async () => {
  let turns = 0;
  let immediate = setImmediate(function next() {
    turns += 1;
    immediate = setImmediate(next);
  });
  const order: string[] = [];
  const seen: number[] = [];
  const work = async (name: string): Promise<void> => {
    for (let step = 0; step < 5; step += 1) {
      await gatewaySystemClock.turn?.();
      order.push(name);
      seen.push(turns);
    }
  };
  await Promise.all(["a", "b", "c"].map(work));
  clearImmediate(immediate);
  expect(order.join("")).toBe("abc".repeat(5));
  expect(new Set(seen).size).toBe(15);
});

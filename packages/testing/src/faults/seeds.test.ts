import { expect, it } from "vitest";
import { createRandom } from "../random.js";
import { forEachSeed } from "./for-each-seed.js";
import { mistype } from "./mistype.js";
import { faultNames, randomPlan } from "./random-plan.js";

it("reports which seed failed, how to replay it, and why", async () => {
  const seeds: number[] = [];
  const cause = new Error("lost a message");
  const failing = forEachSeed({ runs: 10, from: 3 }, (seed) => {
    seeds.push(seed);
    if (seed === 5) throw cause;
  });
  await expect(failing).rejects.toMatchObject({
    message: "Seed 5 failed. Repeat the failure with { from: 5, runs: 1 }.\nlost a message",
    cause,
  });
  expect(seeds).toEqual([3, 4, 5]);
});

it("creates the same plan from the same seed, as plain data", () => {
  for (let seed = 0; seed < 50; seed += 1) {
    expect(randomPlan(seed)).toEqual(randomPlan(seed));
    expect(JSON.parse(JSON.stringify(randomPlan(seed)))).toEqual(randomPlan(seed));
  }
});

it("finds a seed for every kind of fault, and uses only allowed kinds", () => {
  const plans = Array.from({ length: 300 }, (_, seed) => randomPlan(seed)).flat();
  expect(new Set(plans.map(({ fault }) => fault))).toEqual(new Set(faultNames));
  const few = Array.from({ length: 50 }, (_, seed) => randomPlan(seed, { faults: ["drop", "delay"], max: 1 }));
  expect(new Set(few.flat().map(({ fault }) => fault))).toEqual(new Set(["drop", "delay"]));
  expect(few.every(({ length }) => length === 1)).toBe(true);
});

it("draws numbers evenly, and the same for the same seed", () => {
  const random = createRandom("even");
  const counts = new Map<number, number>();
  for (let n = 0; n < 6_000; n += 1) {
    const face = random.integer(1, 6);
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  expect(createRandom("a").next()).toBe(createRandom("a").next());
  expect(() => random.pick([])).toThrow(TypeError);
});

it("changes a copy of the message in one place", () => {
  const message = { jsonrpc: "2.0", id: 1, method: "m", params: { list: [{ text: "x" }], n: 5 } };
  const before = JSON.stringify(message);
  for (let seed = 0; seed < 200; seed += 1) {
    const { value, detail } = mistype(message, createRandom(seed));
    expect(value).toMatchObject({ jsonrpc: "2.0", id: 1, method: "m" });
    expect(detail).toMatch(/^params\S* is /);
    expect(mistype(message, createRandom(seed), { anywhere: true }).detail).toMatch(/ is /);
  }
  expect(JSON.stringify(message)).toBe(before);
});

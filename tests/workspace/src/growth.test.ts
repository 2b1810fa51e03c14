import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { expect, it } from "vitest";

/** The largest of up to three measurements: a busy machine can make the small size slow, which hides growth. */
async function largestGrowthOf(work: (size: number) => unknown): Promise<number> {
  let growth = 0;
  for (let count = 0; count < 3 && growth <= LINEAR; count++)
    growth = Math.max(growth, await growthOf(work, { from: 300 }));
  return growth;
}

it("distinguishes linear from quadratic work", async () => {
  const linear = (size: number): void => void JSON.stringify(JSON.parse(`[${"1,".repeat(size)}1]`));
  const quadratic = (size: number): boolean => /a*$/.test(`${"a".repeat(size)}b`);
  expect(await growthOf(linear)).toBeLessThan(LINEAR);
  expect(await largestGrowthOf(quadratic)).toBeGreaterThan(LINEAR);
});

it("measures work that finishes later", async () => {
  const quadratic = async (size: number): Promise<boolean> => {
    await Promise.resolve();
    return /a*$/.test(`${"a".repeat(size)}b`);
  };
  expect(await largestGrowthOf(quadratic)).toBeGreaterThan(LINEAR);
});

it("is 1 for work that takes no time at any size", async () => {
  expect(await growthOf((size) => size + 1)).toBe(1);
});

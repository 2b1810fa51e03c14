import * as fc from "fast-check";

/** Values per definition: more than 25,000 in each comparison over the four schemas. `FUZZ_RUNS=2000` for a long look. */
const runs = Number(process.env.FUZZ_RUNS ?? 32);
const seed = Number(process.env.FUZZ_SEED ?? 20_261_102);

/** For tests that fuzz: the machine may be busy with others. */
export const patient: { readonly timeout: number } = { timeout: 120_000 + 1000 * runs };

/**
 * Hands out values as JSON text, the same ones in every run. The property returns what is wrong, or `undefined`.
 *
 * @returns how many values there were.
 * @throws with the smallest value for which something is wrong.
 */
export function fuzz(values: fc.Arbitrary<unknown>, property: (text: string) => string | undefined): number {
  let count = 0;
  fc.assert(
    fc.property(values, (value) => {
      count++;
      const text = JSON.stringify(value);
      const wrong = property(text);
      if (wrong !== undefined) throw new Error(`${wrong}\n${text}`);
    }),
    { seed, numRuns: runs },
  );
  return count;
}

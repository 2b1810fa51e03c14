import * as fc from "fast-check";

/** The number of values per definition: in total, more than 25,000 in each comparison. `FUZZ_RUNS=2000` runs longer. */
const runs = Number(process.env.FUZZ_RUNS ?? 32);
const seed = Number(process.env.FUZZ_SEED ?? 20_261_102);

/** The timeout of tests that fuzz, for a busy machine. */
export const patient: { readonly timeout: number } = { timeout: 120_000 + 1000 * runs };

/**
 * Passes values to the property as JSON text, the same values in every run. The property returns an error message, or
 * `undefined`.
 *
 * @returns the number of values.
 * @throws with the smallest value for which the property fails.
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

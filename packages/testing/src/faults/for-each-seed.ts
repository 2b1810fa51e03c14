import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
/** Options of {@link forEachSeed}. */
export interface SeedOptions {
  /** The number of seeds to run. The default is 100. */
  readonly runs?: number;
  /** The first seed. The default is 1. To repeat a failure, pass its seed here and `runs: 1`. */
  readonly from?: number;
}

/**
 * Runs a test once for each seed, one run after the other, and stops at the first run that fails.
 *
 * @throws {Error} an error whose message begins with the seed that failed; its `cause` is the error of the test.
 * @example
 * await forEachSeed({ runs: 200 }, async (seed) => {
 *   const transport = faulty(agent.transport, randomPlan(seed), { seed });
 *   // …
 * });
 */
export async function forEachSeed(
  options: SeedOptions,
  test: (seed: number) => void | PromiseLike<void>,
): Promise<void> {
  checkOptions("forEachSeed", options, optionKinds);
  const { runs = 100, from = 1 } = options;
  for (let seed = from; seed < from + runs; seed += 1) {
    try {
      await test(seed);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const replay = `Repeat the failure with { from: ${seed}, runs: 1 }.`;
      throw new Error(`Seed ${seed} failed. ${replay}\n${reason}`, { cause });
    }
  }
}

const optionKinds: OptionKinds<SeedOptions> = { runs: "value", from: "value" };

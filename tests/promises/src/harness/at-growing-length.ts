/** At this length, quadratic work takes minutes and exceeds the test's timeout. */
const LONGEST = 2_000_000;

/**
 * Runs work on `begin`, repeated `unit` and `end`, at increasing lengths. A pattern that backtracks exceeds the test's
 * timeout.
 */
export function atGrowingLength<Result>(
  [begin, unit, end]: readonly [begin: string, unit: string, end: string],
  work: (text: string) => Result,
): Result[] {
  const results: Result[] = [];
  for (let length = 2_000; length <= LONGEST; length *= 10) {
    results.push(work(begin + unit.repeat(Math.ceil(length / unit.length)) + end));
  }
  return results;
}

/** At this length anything quadratic takes minutes, and the test its time-out. */
const LONGEST = 2_000_000;

/** Runs work on `begin`, then `unit` again and again, then `end`, of growing length. A pattern that backtracks runs into the test's time-out. */
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

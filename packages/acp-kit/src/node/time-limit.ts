import { InvalidArgumentError } from "commander";

/**
 * The longest time limit of the command line: about 23 days. A timer of Node ends at once if it is longer than 2 ** 31
 * - 1 ms.
 */
const maxSeconds = 2_000_000;

interface TimeLimit {
  /** Whether 0 is accepted. It means no limit. */
  readonly acceptsZero?: boolean;
}

/**
 * Parses a time limit of the command line, in seconds, and returns milliseconds.
 *
 * @throws {InvalidArgumentError} when the text is not a number in the range.
 */
export function readTimeLimit(text: string, { acceptsZero = false }: TimeLimit = {}): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if ((value > 0 || (acceptsZero && value === 0)) && value <= maxSeconds) return value * 1000;
  const least = acceptsZero ? "0 (no limit) or more" : "more than 0";
  throw new InvalidArgumentError(`Expected seconds: a number of ${least}, at most ${maxSeconds.toLocaleString("en")}.`);
}

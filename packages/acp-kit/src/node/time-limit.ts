import { InvalidArgumentError } from "commander";

/**
 * The longest time limit of the command line: about 23 days. A timer of Node ends at once if it is longer than 2 ** 31
 * - 1 ms.
 */
const maxSeconds = 2_000_000;

interface TimeLimit {
  readonly unit: "seconds" | "milliseconds";
  /** Whether 0 is accepted. It means no limit. */
  readonly acceptsZero?: boolean;
}

/**
 * Parses a time limit of the command line, and returns milliseconds.
 *
 * @throws {InvalidArgumentError} when the text is not a number in the range.
 */
export function readTimeLimit(text: string, { unit, acceptsZero = false }: TimeLimit): number {
  const [max, factor] = unit === "seconds" ? [maxSeconds, 1000] : [maxSeconds * 1000, 1];
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if ((value > 0 || (acceptsZero && value === 0)) && value <= max) return value * factor;
  const least = acceptsZero ? "0 (no limit) or more" : "more than 0";
  throw new InvalidArgumentError(`Expected ${unit}: a number of ${least}, at most ${max.toLocaleString("en")}.`);
}

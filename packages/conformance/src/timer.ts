/** The longest time of a timer, in milliseconds. A longer one would end at once. */
const LONGEST_MS = 2_147_483_647;

/**
 * Runs `action` after `ms` milliseconds, unless the returned function is called first. A time of more than 24.8 days,
 * such as `Infinity`, means never.
 */
export function after(ms: number, action: () => void): () => void {
  if (ms > LONGEST_MS) return () => {};
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}

/** Checks time limits among options. @throws {TypeError} if one of them is not a number of 0 or more. */
export function checkTimes(options: object, names: readonly string[]): void {
  for (const name of names) {
    const value: unknown = (options as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || (typeof value === "number" && value >= 0)) continue;
    throw new TypeError(`options.${name} must be a number of milliseconds from 0 to Infinity, not ${String(value)}`);
  }
}

/** The longest time of a timer, in milliseconds. A longer one would end at once. */
const LONGEST_MS = 2_147_483_647;

/** A time limit consists of timers of this time, each after the one before, in milliseconds. */
const PART_MS = 20;

/**
 * Runs `action` after `ms` milliseconds, unless the returned function is called first. A time of more than 24.8 days,
 * such as `Infinity`, means never. Time in which this process could not run counts as a small part of the limit only:
 * on a busy machine, messages that arrived meanwhile are handled before the time is over.
 */
export function after(ms: number, action: () => void): () => void {
  if (ms > LONGEST_MS) return () => {};
  const parts = Math.max(1, Math.floor(ms / PART_MS));
  let left = parts;
  const next = (): ReturnType<typeof setTimeout> =>
    setTimeout(
      () => {
        left -= 1;
        if (left > 0) timer = next();
        else action();
      },
      Math.ceil(ms / parts),
    );
  let timer = next();
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

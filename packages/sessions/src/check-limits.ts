import type { StoreLimits } from "./session-store.js";

/**
 * Returns the limits of a store.
 *
 * @throws {TypeError} as {@link checkLimit}.
 */
export function checkLimits(limits: StoreLimits = {}): StoreLimits {
  for (const name of ["maxSessionBytes", "maxSessions", "maxAgeMs"] as const) {
    if (limits[name] !== undefined) checkLimit(`limits.${name}`, limits[name]);
  }
  return limits;
}

/**
 * Returns a limit.
 *
 * @throws {TypeError} when the limit is not a number from 0 to `Infinity`. `NaN` would be no limit at all: it is the
 * number of an environment variable that is not set.
 */
export function checkLimit(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 0) return value;
  throw new TypeError(`${name} must be a number from 0 to Infinity, not ${String(value)}`);
}

import type { StoreLimits } from "./session-store.js";

/**
 * Returns the limits of a store.
 *
 * @throws {TypeError} when a limit is not a number from 0 to `Infinity`. `NaN` would be no limit at all: it is the number of an environment variable that is not
 * set.
 */
export function checkLimits(limits: StoreLimits = {}): StoreLimits {
  for (const name of ["maxSessionBytes", "maxSessions", "maxAgeMs"] as const) {
    const value: unknown = limits[name];
    if (value === undefined || (typeof value === "number" && value >= 0)) continue;
    throw new TypeError(`limits.${name} must be a number from 0 to Infinity, not ${String(value)}`);
  }
  return limits;
}

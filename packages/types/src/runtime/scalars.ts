import type { Members } from "./run.js";

/** Returns whether a value is a JSON object, and not `null` or an array. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns whether a value is an integer between the bounds. Integers beyond ±(2^53 − 1) are refused even where the
 * schema says `int64` or `uint64`, because `JSON.parse` has already rounded them, and a changed id or size would be
 * worse than an error.
 */
export function isInteger(value: unknown, minimum?: number, maximum?: number): boolean {
  return (
    Number.isSafeInteger(value) &&
    (minimum === undefined || (value as number) >= minimum) &&
    (maximum === undefined || (value as number) <= maximum)
  );
}

/**
 * Returns whether a value is a finite number between the bounds. `JSON.parse("1e999")` is `Infinity`, which JSON can't
 * represent.
 */
export function isNumber(value: unknown, minimum?: number, maximum?: number): boolean {
  return (
    Number.isFinite(value) &&
    (minimum === undefined || (value as number) >= minimum) &&
    (maximum === undefined || (value as number) <= maximum)
  );
}

/** Checks `minLength`, in code points, as JSON Schema counts them. */
export function isLongString(value: unknown, minimum: number): boolean {
  return typeof value === "string" && [...value].length >= minimum;
}

/** Checks `format: "uri"`: an absolute URI, by the rules of the URL standard. */
export function isUri(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value);
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Checks `format: "date-time"`: a time of RFC 3339 on a day that exists. */
export function isDateTime(value: unknown): boolean {
  const match = typeof value === "string" ? dateTime.exec(value) : null;
  if (match === null) return false;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  // Day 0 of the next month is the last day of this month. The year matters only for leap years, which repeat every 400
  // years.
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(400 + (year % 400), month, 0)).getUTCDate();
}

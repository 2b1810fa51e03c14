import type { Members } from "./run.js";

/** A JSON object: neither `null` nor an array. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * An integer between the bounds. Integers beyond ±(2^53 − 1) are refused even where the schema says `int64` or `uint64`:
 * JSON.parse has already rounded them, and a silently changed id or size is worse than none.
 */
export function isInteger(value: unknown, minimum?: number, maximum?: number): boolean {
  return (
    Number.isSafeInteger(value) &&
    (minimum === undefined || (value as number) >= minimum) &&
    (maximum === undefined || (value as number) <= maximum)
  );
}

/** `JSON.parse("1e999")` is `Infinity`, which JSON cannot represent. */
export function isNumber(value: unknown, minimum?: number, maximum?: number): boolean {
  return (
    Number.isFinite(value) &&
    (minimum === undefined || (value as number) >= minimum) &&
    (maximum === undefined || (value as number) <= maximum)
  );
}

/** `minLength`, in code points as JSON Schema counts them. */
export function isLongString(value: unknown, minimum: number): boolean {
  return typeof value === "string" && [...value].length >= minimum;
}

/** `format: "uri"`: absolute, by the rules of the URL standard. */
export function isUri(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value);
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** `format: "date-time"`: RFC 3339, on an existing day. */
export function isDateTime(value: unknown): boolean {
  const match = typeof value === "string" ? dateTime.exec(value) : null;
  if (match === null) return false;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  // Day 0 of the next month is the last day of this one. The year only matters for leap years, hence 400.
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(400 + (year % 400), month, 0)).getUTCDate();
}

import { isJsonObject } from "@acp-kit/jsonrpc/internal";

/** A JSON object from a peer, whose members are not checked. */
export type Json = { readonly [name: string]: unknown };

export const isObject: (value: unknown) => value is Json = isJsonObject;

/** Returns the member or item at a path, or `undefined` if the path doesn't exist. */
export function member(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at: unknown = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[name];
  }
  return at;
}

/** Looks up a name that the peer sent in a table of the kit. Inherited names such as `constructor` are not found. */
export function entryOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns the JSON text of a peer's value for display, or a note if the value is nested too deep to serialize. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch (error) {
    return `(a value that can't be written: ${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Returns a text itself, any other value as JSON: `String` fails if an object's `toString` is no function. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}

/** Returns the items of an array, and no items for any other value. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns whether a path is absolute on POSIX or on Windows, because the platform of the peer is unknown. */
export function isAbsolutePath(value: unknown): value is string {
  return typeof value === "string" && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value);
}

const extendedIso8601 =
  /^\d{4}-(\d\d)-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const basicIso8601 = /^\d{4}(\d\d)(\d\d)(?:T(\d\d)(?:(\d\d)(?:(\d\d)(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?:\d\d)?)?)?$/;

/** Returns whether a text is a calendar date, with or without a time, in a format of ISO 8601. */
export function isIso8601(text: string): boolean {
  const parts = extendedIso8601.exec(text) ?? basicIso8601.exec(text);
  if (!parts) return false;
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return isDate && hour <= 24 && minute <= 59 && second <= 60; // 24 is the end of a day, and 60 a leap second
}

/** Formats a value for a report: as JSON on one line, cut to a limit. */
export function shown(value: unknown, limit = 200): string {
  const text = jsonText(value);
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text;
}

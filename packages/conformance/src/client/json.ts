import { jsonText } from "../wire/values.js";

/** A JSON object whose members are not checked. */
export type JsonObject = { readonly [key: string]: unknown };

/** Returns whether a value is a JSON object, and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value at a path in unchecked JSON, or `undefined` if the path doesn't exist. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

/** Returns the items of an array, and no items for any other value. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Formats a value for a sentence, cut to a limit. */
export function show(value: unknown, length = 200): string {
  const text = jsonText(value);
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;
}

/** Returns whether a value is an absolute path of any platform. */
export function isAbsolutePath(value: unknown): value is string {
  return typeof value === "string" && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(value);
}

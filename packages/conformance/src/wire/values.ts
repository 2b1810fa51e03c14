/** A JSON object from a peer, whose members are not checked. */
export type Json = { readonly [name: string]: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the member at a path, or `undefined` if a value on the path is not an object or does not have the member. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value;
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
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

/** Returns a text itself, and any other value as JSON. `String` would fail for an object of the peer whose member `toString` is no function. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}

export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns whether a path is absolute on POSIX or on Windows, because the platform of the peer is unknown. */
export function isAbsolutePath(value: unknown): boolean {
  return typeof value === "string" && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value);
}

/** Returns whether a text is a date, or a date and a time, in ISO 8601. */
export function isIso8601(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

/** Formats a value for a report: as JSON on one line, cut to a limit. */
export function shown(value: unknown, limit = 200): string {
  const text = jsonText(value);
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text;
}

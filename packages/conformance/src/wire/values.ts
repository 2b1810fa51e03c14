/** An unchecked object from the wire. */
export type Json = { readonly [name: string]: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a member of an object, or `undefined` when the value is not an object. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value;
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/** Looks up a name that comes from the peer in a table of the kit: inherited names such as `constructor` are not found. */
export function entryOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns the JSON text of a peer's value for display, or a note when it is nested too deep to serialize. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch (error) {
    return `(a value that can't be written: ${error instanceof Error ? error.message : String(error)})`;
  }
}

export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Whether a path is absolute on POSIX or on Windows: the platform of the peer is unknown. */
export function isAbsolutePath(value: unknown): boolean {
  return typeof value === "string" && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value);
}

/** Whether a text is a date, or a date and a time, in ISO 8601. */
export function isIso8601(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

/** Returns a value as a report shows it: on one line, and cut to a limit. */
export function shown(value: unknown, limit = 200): string {
  const text = jsonText(value);
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text;
}

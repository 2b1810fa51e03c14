/** An object that came over the wire. */
export type Json = { readonly [name: string]: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member of an object, or nothing when it is none. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value;
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/** What a table of ours says of a name that a peer made up: `constructor` is in none. */
export function entryOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The JSON text of what a peer has sent, to be shown: what is nested too deep to be written is named so. */
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

/** Absolute on POSIX or on Windows: we can't know which of them the peer lives on. */
export function isAbsolutePath(value: unknown): boolean {
  return typeof value === "string" && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value);
}

/** A value as people read it in a report: on one line, and not too long. */
export function shown(value: unknown, limit = 200): string {
  const text = jsonText(value);
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text;
}

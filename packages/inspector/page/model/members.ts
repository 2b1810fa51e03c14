/** Returns the members of an object. Returns an empty object for any other value, because received messages are not validated. */
export function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Returns a member that is a string. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = members(value)[name];
  return typeof member === "string" ? member : undefined;
}

/** Returns a member that is a list, or an empty list. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const member = members(value)[name];
  return Array.isArray(member) ? member : [];
}

/** The members of a value, or none: messages are read from the wire unchecked. */
export function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A member that is text. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = members(value)[name];
  return typeof member === "string" ? member : undefined;
}

/** A member that is a list. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const member = members(value)[name];
  return Array.isArray(member) ? member : [];
}

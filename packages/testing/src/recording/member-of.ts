/** Returns a member of a value, or `undefined` if the value is no object or has no such member. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Returns a member of a value if the member is a text. */
export function textMemberOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : undefined;
}

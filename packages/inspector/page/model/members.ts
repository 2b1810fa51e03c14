/** Returns the members of an object, and none of any other value: received messages are not validated. */
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

/** Returns a received value as text. `String` would throw for an object whose member `toString` is not a function. */
export function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns the decoded value; `undefined` if it is not as the schema says, on which components rely. */
export function decoded<Value>(decode: (value: unknown) => Value, value: unknown): Value | undefined {
  try {
    return decode(value);
  } catch {
    return undefined;
  }
}

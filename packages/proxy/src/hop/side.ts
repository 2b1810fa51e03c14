/** A side of a hop. */
export type Side = "client" | "agent";

export function ownMember<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Looks up a name that an agent sent. Returns `undefined` for names that every object inherits, such as `constructor`.
 */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

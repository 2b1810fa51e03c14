/** Looks up a name that an agent sent. Inherited names, such as `constructor`, are not found. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Copies a JSON value, because decoders add defaults and repair faults in place. */
export function copyValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyValue);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = copyValue((value as Record<string, unknown>)[name]);
    if (name === "__proto__")
      Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true });
    else copy[name] = member;
  }
  return copy;
}

/** Members whose contents belong to tools and extensions, which may use such names. */
const foreign: ReadonlySet<string> = new Set(["rawInput", "rawOutput", "_meta"]);

/**
 * Returns whether an object in a message has two members whose names differ only in case. Receivers that ignore case
 * would read another message than the proxy.
 */
export function namesDifferInCase(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(namesDifferInCase);
  const names = Object.keys(value);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) return true;
  return names.some((name) => !foreign.has(name) && namesDifferInCase((value as Record<string, unknown>)[name]));
}

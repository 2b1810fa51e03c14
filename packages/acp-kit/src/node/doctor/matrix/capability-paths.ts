/** Returns the paths of the advertised capabilities, without `_meta`. */
export function capabilityPaths(value: unknown, path: readonly string[] = []): string[] {
  if (value === false || value === null || value === undefined) return [];
  if (typeof value !== "object") return [path.join(".")];
  const members = Object.entries(value).filter(([name]) => name !== "_meta");
  const own = members.flatMap(([name, member]) => capabilityPaths(member, [...path, name]));
  return members.length === 0 && path.length > 1 ? [path.join(".")] : own.sort();
}

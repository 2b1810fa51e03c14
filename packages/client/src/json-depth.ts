/** How deep values of an agent may be nested: as deep as `maxMessageDepth` lets a message be, so that what comes over a wire is never cut. */
export const MAX_JSON_DEPTH = 512;

/**
 * The same value, without what is nested more than `depth` deep: `null` stands there. A value that is not so deep is returned as it is.
 *
 * Whatever walks a value without a limit of its own, `JSON.stringify` among others, fails on one that is deep enough.
 */
export function withinDepth<Value>(value: Value, depth: number = MAX_JSON_DEPTH): Value {
  return isDeeperThan(value, depth) ? (cut(value, depth) as Value) : value;
}

/** Whether objects and arrays are nested more than `depth` deep. It goes no deeper than that. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(item, depth - 1)) return true;
    return false;
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === "object" && member !== null && isDeeperThan(member, depth - 1)) return true;
  }
  return false;
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cut(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, depth - 1)]));
}

/** Maximum nesting of a value to be sent as JSON. A tool's output, or a model's input for it, comes from elsewhere. */
export const maxJsonDepth = 200;

/** Maximum nesting of indented JSON: indentation grows with the depth, for each of its lines. */
const maxIndentedDepth = 16;

/** Converts a value so that it can be sent and stored; a value that is nested too deep or contains itself becomes text. */
export function toJson(value: unknown): unknown {
  try {
    const json = JSON.stringify(shallowEnough(value));
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return String(value);
  }
}

/** Returns a value unchanged, or a text about it if it is nested deeper than {@link maxJsonDepth}. */
export function shallowEnough(value: unknown): unknown {
  return isDeeperThan(value, maxJsonDepth) ? `(nested more than ${maxJsonDepth} deep)` : value;
}

/** Formats a value for people: text unchanged, any other value as JSON. */
export function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const json = toJson(value);
  if (json === undefined || json === null) return undefined;
  if (typeof json === "string") return json;
  return isDeeperThan(json, maxIndentedDepth) ? JSON.stringify(json) : JSON.stringify(json, null, 2);
}

/** Whether arrays and objects are nested more than this many times. It doesn't recurse, so that no depth overflows the stack. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  // Each object is visited once, at its highest place: a value of this process may contain itself.
  const seen = new Set<object>();
  let level: readonly unknown[] = [value];
  for (let at = 0; ; at++) {
    const containers = level.filter((one): one is object => typeof one === "object" && one !== null && !seen.has(one));
    if (containers.length === 0) return false;
    if (at === depth) return true;
    for (const one of containers) seen.add(one);
    level = containers.flatMap((one) => (Array.isArray(one) ? one : Object.values(one)));
  }
}

/** The message of an error, without its stack. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return toText(error) ?? "Unknown error";
}

/** The key of `_meta` for data that the protocol has no place for. */
export const metaKey = "ai-sdk";

/** Returns `_meta` with the members that have a value, or nothing. */
export function metaOf(members: Readonly<Record<string, unknown>>): { _meta?: Record<string, unknown> } {
  const told = Object.entries(members).flatMap(([name, value]) => {
    const json = toJson(value);
    return json === undefined ? [] : [[name, json] as const];
  });
  return told.length === 0 ? {} : { _meta: { [metaKey]: Object.fromEntries(told) } };
}

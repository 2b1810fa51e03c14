/** How deep a value may nest to be JSON on the wire. A tool's output, or a model's input for it, is made elsewhere. */
export const maxJsonDepth = 200;

/** How deep JSON may nest to be indented: indentation grows with the depth, for each of its lines. */
const maxIndentedDepth = 16;

/** A value as it can cross the wire and be stored; what can't, because it nests too deep or holds itself, is told as text. */
export function toJson(value: unknown): unknown {
  try {
    const json = JSON.stringify(shallowEnough(value));
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return String(value);
  }
}

/** A value as it is, or a text about it where it nests deeper than {@link maxJsonDepth}. */
export function shallowEnough(value: unknown): unknown {
  return isDeeperThan(value, maxJsonDepth) ? `(nested more than ${maxJsonDepth} deep)` : value;
}

/** What a person reads of a value: text as it is, anything else as JSON. */
export function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const json = toJson(value);
  if (json === undefined || json === null) return undefined;
  if (typeof json === "string") return json;
  return isDeeperThan(json, maxIndentedDepth) ? JSON.stringify(json) : JSON.stringify(json, null, 2);
}

/** Whether arrays and objects stand in each other more than so many times. It doesn't recurse, so that no depth is too much for it. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  // Each object is looked at once, where it stands highest: a value of this process may hold itself.
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

/** The key of `_meta` under which is told what the protocol has no place for. */
export const metaKey = "ai-sdk";

/** `_meta` with those of the members that have a value, or nothing. */
export function metaOf(members: Readonly<Record<string, unknown>>): { _meta?: Record<string, unknown> } {
  const told = Object.entries(members).flatMap(([name, value]) => {
    const json = toJson(value);
    return json === undefined ? [] : [[name, json] as const];
  });
  return told.length === 0 ? {} : { _meta: { [metaKey]: Object.fromEntries(told) } };
}

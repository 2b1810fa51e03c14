/** Maximum nesting of a value that is sent as JSON. Outputs of tools and models are not trusted. */
export const maxJsonDepth = 200;

/** Maximum nesting of values that are indented. Indentation would make each deeper line longer. */
const maxIndentedDepth = 16;

/** Converts a value to JSON. A bigint becomes a text, as does a value that is nested too deep or contains itself. */
export function toJson(value: unknown): unknown {
  try {
    const json = JSON.stringify(shallowEnough(value), withoutBigint);
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return asText(value);
  }
}

function withoutBigint(_: string, member: unknown): unknown {
  return typeof member === "bigint" ? String(member) : member;
}

/** Converts a value to a text. `String` throws for an object without `toString`, as a row of `node:sqlite` is. */
function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** Returns a value unchanged. If the value is nested deeper than {@link maxJsonDepth}, returns a text that says so. */
export function shallowEnough(value: unknown): unknown {
  return isDeeperThan(value, maxJsonDepth) ? `(nested more than ${maxJsonDepth} levels deep)` : value;
}

/** Formats a value for users: a text unchanged, any other value as JSON. */
export function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const json = toJson(value);
  if (json === undefined || json === null) return undefined;
  if (typeof json === "string") return json;
  return isDeeperThan(json, maxIndentedDepth) ? JSON.stringify(json) : JSON.stringify(json, null, 2);
}

/** Returns whether arrays and objects are nested deeper than `depth`, without recursion. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  // Each object is visited once, at its smallest depth, because a value may contain itself.
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

/** Returns the message of an error, without the stack. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return toText(error) ?? "Unknown error";
}

/** The key in `_meta` under which this package sends data for which the protocol has no member. */
export const metaKey = "ai-sdk";

/** Returns `_meta` with the members that have a value, or nothing. */
export function metaOf(members: Readonly<Record<string, unknown>>): { _meta?: Record<string, unknown> } {
  const told = Object.entries(members).flatMap(([name, value]) => {
    const json = toJson(value);
    return json === undefined ? [] : [[name, json] as const];
  });
  return told.length === 0 ? {} : { _meta: { [metaKey]: Object.fromEntries(told) } };
}

/** Whether a member of a tool call is an empty input. Some agents send `rawInput: {}` beside the input itself. */
export function isEmptyInput(member: string, value: unknown): boolean {
  return member === "rawInput" && typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

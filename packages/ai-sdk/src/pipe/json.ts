/** A value as it can cross the wire and be stored; what can't is told as text. */
export function toJson(value: unknown): unknown {
  try {
    const json = JSON.stringify(value);
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return String(value);
  }
}

/** What a person reads of a value: text as it is, anything else as JSON. */
export function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const json = toJson(value);
  if (json === undefined || json === null) return undefined;
  return typeof json === "string" ? json : JSON.stringify(json, null, 2);
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

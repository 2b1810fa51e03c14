import { type Place, placeInObject, placeOfItem, REDACTED } from "./secret-places.js";

/**
 * Returns a message without the secrets that their place shows: values of `env` and `headers`, members with names like
 * `apiKey` or `client_secret`, and members of `_meta` with such a word in their names. The names of the members are
 * kept. A message without secrets is returned unchanged, not copied.
 *
 * This function does not treat file contents, prompts and terminal output as secrets; the application decides whether
 * to log them. To also hide later occurrences of the replaced values, and secrets in command lines, URLs and texts, use
 * `createRedactor` of `@acp-kit/redact`.
 */
export function redactSecrets(message: unknown): unknown {
  return redact(message, "plain", 0);
}

/** The depth below which all values are replaced, because reading them could exhaust the stack. */
const MAX_DEPTH = 500;

function redact(value: unknown, place: Place, depth: number): unknown {
  if (value === null || value === undefined) return value;
  if (place === "secret") return REDACTED;
  if (typeof value !== "object") return place === "pair" ? REDACTED : value;
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return replaced(value, (item) => redact(item, placeOfItem(place), depth + 1));
  const holder = value as Readonly<Record<string, unknown>>;
  return replaced(holder, (member, name) => redact(member, placeInObject(place, name, holder), depth + 1));
}

/** Returns a copy with the replaced members, or `value` itself if none was replaced. */
function replaced<Value extends object>(value: Value, replace: (member: unknown, name: string) => unknown): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const other = replace(member, name);
    if (other === member) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as unknown as Record<string, unknown>;
    copy[name] = other;
  }
  return copy ?? value;
}

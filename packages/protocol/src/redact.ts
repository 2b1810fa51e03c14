/** The text that replaces a secret. */
const REDACTED = "[redacted]";

/** The names of members that contain secrets as pairs of a name and a value, such as environment variables. Only the values are replaced. */
const secretMembers = new Set(["env", "headers"]);

/** Matches the names of members of `_meta` whose whole value is a secret. They are those of `@acp-kit/redact`. */
const secretName =
  /token|secret|password|passwd|passphrase|pwd|authorization|bearer|cookie|credential|(?:api|access|private|secret|signing|encryption|session|license|auth)[-_ ]?key/i;

/**
 * Returns a message in which secrets are replaced: values of `env` and `headers`, and members of `_meta` with names
 * like `token`. The names of the members are kept. A message without secrets is returned unchanged, not copied.
 *
 * This function does not treat file contents, prompts and terminal output as secrets; the application decides whether
 * to log them. To also hide later occurrences of the replaced values, and secrets in command lines, URLs and texts, use
 * `createRedactor` of `@acp-kit/redact`.
 */
export function redactSecrets(message: unknown): unknown {
  return redact(message, false, 0);
}

/** The depth below which all values are replaced, because reading them could exhaust the stack. */
const MAX_DEPTH = 500;

function redact(value: unknown, inMeta: boolean, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return replaced(value, (item) => redact(item, inMeta, depth + 1));
  return replaced(value as Record<string, unknown>, (member, name) => {
    if (secretMembers.has(name)) return hideValues(member);
    if (inMeta && secretName.test(name)) return hideAll(member);
    return redact(member, inMeta || name === "_meta", depth + 1);
  });
}

/** Replaces the values in a list `[{ name, value }]`, the usual form in the protocol, or in an object `{ name: value }`. */
function hideValues(member: unknown): unknown {
  if (typeof member !== "object" || member === null) return member;
  if (Array.isArray(member)) {
    return member.map((item) =>
      typeof item === "object" && item !== null ? { ...item, value: REDACTED } : hideAll(item),
    );
  }
  return Object.fromEntries(Object.keys(member).map((name) => [name, REDACTED]));
}

function hideAll(value: unknown): unknown {
  return value === null || value === undefined ? value : REDACTED;
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

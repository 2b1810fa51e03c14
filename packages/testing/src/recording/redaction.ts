import { redactSecrets } from "@acp-kit/protocol";

/** What stands where something was that nobody should see. */
export const REDACTED = "[redacted]";

/** Members that are named for a secret, wherever they stand; `inputTokens` is none. */
const secretMember = /(?:token|secret|password|passwd|authorization|api[-_]?key|credentials?|cookie)$/i;

/** Tokens that say by their form what they are. Each alternative begins with something fixed, so that matching stays linear. */
const knownTokens = new RegExp(
  [
    String.raw`\b(?:Bearer|Basic)\s(?=\S{0,200}\d)[\w.~+/=-]{8,}`,
    String.raw`\b[spr]k-[\w-]{16,}`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{20,}`,
    String.raw`\bgithub_pat_\w{20,}`,
    String.raw`\bglpat-[\w-]{16,}`,
    String.raw`\bnpm_[A-Za-z0-9]{30,}`,
    String.raw`\bxox[abprs]-[A-Za-z0-9-]{10,}`,
    String.raw`\bAIza[\w-]{30,}`,
    String.raw`\bAKIA[A-Z0-9]{16}\b`,
    String.raw`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
  ].join("|"),
  "g",
);

/** `API_KEY=…`, `token: …`, as logs and command lines have them. */
const assignment =
  /((?:token|secret|password|passwd|api[-_]?key|authorization|credentials?)["']?\s{0,3}[=:]\s{0,3})("[^"]*"|'[^']*'|[^\s&,;]+)/gi;

/** `https://user:password@host`. */
const userInfo = /(\w:\/\/[^\s/:@]{1,100}):[^\s/@]{1,200}@/g;

const secretFlag = /^--?[\w-]*(?:token|secret|password|api[-_]?key|authorization|credentials?)$/i;

/**
 * A message without its secrets: what `redactSecrets` of `@acp-kit/protocol` hides (`env`, `headers`, `_meta`), members that are named
 * for a secret, and tokens that are known by their form, wherever they stand. What holds none is returned as it is, not copied.
 */
export function redactMessage(message: unknown): unknown {
  return mapStrings(redactSecrets(message), (text, member) =>
    secretMember.test(member) && text !== "" ? REDACTED : text.replace(knownTokens, REDACTED),
  );
}

/** Text without its secrets: tokens that are known by their form, and what is assigned to a name like `API_KEY`. */
export function redactText(text: string): string {
  return text.replace(knownTokens, REDACTED).replace(userInfo, `$1:${REDACTED}@`).replace(assignment, `$1${REDACTED}`);
}

/** A command line without its secrets: as text, and what follows a flag like `--api-key`. */
export function redactCommand(command: readonly string[]): string[] {
  return command.map((word, index) => (secretFlag.test(command[index - 1] ?? "") ? REDACTED : redactText(word)));
}

/** A copy in which every string is what `replace` makes of it, or `value` itself when that changes none. */
export function mapStrings(value: unknown, replace: (text: string, member: string) => unknown, member = ""): unknown {
  if (typeof value === "string") return replace(value, member);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let items: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const other = mapStrings(item, replace, member);
      if (other === item) continue;
      items ??= [...value];
      items[index] = other;
    }
    return items ?? value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [name, item] of Object.entries(value)) {
    const other = mapStrings(item, replace, name);
    if (other === item) continue;
    copy ??= { ...value };
    copy[name] = other;
  }
  return copy ?? value;
}

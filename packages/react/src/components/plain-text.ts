import { prefixOf } from "@acp-kit/protocol/internal";

/** Control characters except tab and line feed. */
const controls = /[^\P{Cc}\n\t]/gu;
/** Characters that change the direction of text, and can disguise it. Pages use the attribute `dir`. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The character that replaces a removed character, so that the user sees that the text contained one. */
const REPLACEMENT = "\ufffd";

/** The first half of a character at the end of a text whose next chunk has the second half. */
const half = /[\ud800-\udbff]$/;

/** Returns an agent's text with `\ufffd` for control characters and those that change the direction of text. */
export function plainText(text: unknown): string {
  if (typeof text !== "string") return "";
  return text.replace(half, "").replace(/\r\n?/g, "\n").replace(controls, REPLACEMENT).replace(directions, REPLACEMENT);
}

/** The default maximum length of {@link plainLine}. */
const MAX_LINE = 500;

/** Returns the text of {@link plainText} as one line of at most `max` characters, for titles and names. */
export function plainLine(text: unknown, max: number = MAX_LINE): string {
  if (typeof text !== "string") return "";
  const head = prefixOf(text, max);
  const line = plainText(head).replace(/\s+/g, " ").trim();
  return text.length > max ? `${line}…` : line;
}

/** Returns an address that is safe to open; `undefined` for others, such as `javascript:` and with a password. */
export function safeHref(href: unknown): string | undefined {
  if (typeof href !== "string" || href.length > 2_000) return undefined;
  try {
    const { protocol, href: address, username, password } = new URL(href);
    const isSafe = (protocol === "https:" || protocol === "http:" || protocol === "mailto:") && !username && !password;
    return isSafe ? address : undefined;
  } catch {
    return undefined; // such as a relative address
  }
}

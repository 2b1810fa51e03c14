/** Control characters except tab and line feed: nothing that an agent sends needs one. */
const controls = /[^\P{Cc}\n\t]/gu;
/** Characters that change the direction of text, and so can disguise it; a page that needs them sets `dir` on its elements. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** What stands for a character that was removed, so that a disguise is visible. */
const REPLACEMENT = "\ufffd";

/** The text of an agent, with control characters and characters that reverse the direction of text replaced by `\ufffd`. */
export function plainText(text: unknown): string {
  if (typeof text !== "string") return "";
  return text.replace(/\r\n?/g, "\n").replace(controls, REPLACEMENT).replace(directions, REPLACEMENT);
}

/** The default maximum length of {@link plainLine}. */
const MAX_LINE = 500;

/** Like {@link plainText} in one line, for titles and names: at most `max` characters. */
export function plainLine(text: unknown, max: number = MAX_LINE): string {
  if (typeof text !== "string") return "";
  const head = text.slice(0, max);
  const line = plainText(head).replace(/\s+/g, " ").trim();
  return text.length > max ? `${line}…` : line;
}

/** The addresses that a link may have: anything else is shown as text. */
export function safeHref(href: unknown): string | undefined {
  if (typeof href !== "string" || href.length > 2_000) return undefined;
  try {
    const { protocol, href: whole, username, password } = new URL(href);
    const isSafe = (protocol === "https:" || protocol === "http:" || protocol === "mailto:") && !username && !password;
    return isSafe ? whole : undefined;
  } catch {
    return undefined; // a relative address means nothing here
  }
}

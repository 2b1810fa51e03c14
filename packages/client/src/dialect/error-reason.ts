import { isJsonObject } from "@acp-kit/protocol/internal";

/** The maximum length of a reason, in UTF-16 units. */
const MAX_REASON = 2_000;
/** How deep members are searched. Agents nest the error of their model's API into their own. */
const MAX_DEPTH = 4;

/** The members in which agents put the reason of an error, the most precise first. */
const members = ["details", "detail", "message", "description", "reason", "error", "errors", "cause", "data"] as const;

/**
 * Returns the text in the `data` of an error that says why a request failed, or `undefined` if there is none. The
 * specification leaves the form of `data` open: agents send a text, JSON as text, an object, or an error in an object.
 */
export function reasonIn(data: unknown): string | undefined {
  const reason = search(data, MAX_DEPTH)?.trim();
  if (reason === undefined || reason === "" || reason.length <= MAX_REASON) return reason || undefined;
  const last = reason.charCodeAt(MAX_REASON - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff; // the cut must not leave half a character
  return `${reason.slice(0, isHalf ? MAX_REASON - 1 : MAX_REASON)}…`;
}

function search(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return (depth > 0 ? search(jsonIn(value), depth - 1) : undefined) ?? value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return search(value[0], depth - 1);
  if (!isJsonObject(value)) return undefined;
  for (const name of members) {
    const found = search(value[name], depth - 1);
    // A `reason` of one word is a code for programs, not a text for people.
    if (found !== undefined && found.trim() !== "" && (name !== "reason" || /\s/.test(found))) return found;
  }
  return undefined;
}

/** The length of the longest text that is parsed as JSON, because parsing takes many times that size in memory. */
const MAX_JSON = 65_536;

/** Returns the object in a JSON text, or `undefined` for other texts. */
export function jsonIn(text: string): unknown {
  if (text.length > MAX_JSON || !text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON
  }
}

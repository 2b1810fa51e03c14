import { checkMessageText, type MalformedInput, type MessageLimits } from "@acp-kit/jsonrpc";

/** What {@link parseMessageText} returns: a value, or the reason why there is none. */
export type ParsedText = { readonly value: unknown } | { readonly malformed: MalformedInput };

/** Parses a message within limits of depth and nodes, which are checked before parsing. */
export function parseMessageText(text: string, size: number, limits: Required<MessageLimits>): ParsedText {
  const problem = checkMessageText(text, limits);
  if (problem !== undefined)
    return { malformed: { kind: "too_large", message: problem, excerpt: excerptOf(text), size } };
  try {
    return { value: JSON.parse(text) };
  } catch {
    const message = `${size} bytes of input are not JSON and were skipped.`;
    return { malformed: { kind: "not_json", message, excerpt: excerptOf(text), size } };
  }
}

const EXCERPT_CHARACTERS = 200;

/** The first characters of a text, copied, so that a kept diagnostic does not keep the whole text. */
export function excerptOf(text: string): string {
  return text.slice(0, EXCERPT_CHARACTERS).split("").join("");
}

const encoder = new TextEncoder();

/** The size of a text in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

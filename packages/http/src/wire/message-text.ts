import { checkMessageText, type MalformedInput, type MessageLimits } from "@acp-kit/jsonrpc";
import { prefixOf } from "@acp-kit/jsonrpc/internal";

/** The result of {@link parseMessageText}: the parsed value, or the reason why the text is skipped. */
export type ParsedText = { readonly value: unknown } | { readonly malformed: MalformedInput };

/** Parses the text of a message. The function checks the limits of depth and nodes before it parses the text. */
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

/** Copies the first characters of a text, so that a stored diagnostic does not keep the whole text in memory. */
export function excerptOf(text: string): string {
  return prefixOf(text, EXCERPT_CHARACTERS).split("").join("");
}

const encoder = new TextEncoder();

/** Returns the size of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return text.length > 1_000 ? encoder.encode(text).length : encoder.encodeInto(text, scratch).written;
}

/** The bytes of a text that is not long, so that counting them allocates no memory. A character has at most three. */
const scratch = new Uint8Array(3_000);

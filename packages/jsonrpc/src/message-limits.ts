import { exceededBound } from "./json-depth.js";
import { endOfString } from "./json-string.js";

/**
 * The limits of the structure of one message. The limits exist because a parsed message can need much more memory than
 * its bytes. For example, 60 MB of `[],` need more than a gigabyte after parsing. Also, recursive code overflows the
 * stack on values that are nested some thousands of levels deep.
 *
 * A message that exceeds a limit is skipped and reported. If it is a request, it gets an error response; if it is a
 * response, its request rejects. The connection stays open.
 */
export interface MessageLimits {
  /**
   * The maximum number of levels of nested arrays and objects in a message. The default is 512. For comparison: other
   * implementations have limits of 64 to 128 levels, and `JSON.stringify` fails at about 4,000.
   */
  readonly maxMessageDepth?: number;
  /**
   * The maximum number of nodes in a message. Each array and object counts as a node, and so does each of its elements
   * or members except the first; in the JSON text, these are the opening brackets and the commas. The default is
   * 1,000,000.
   */
  readonly maxMessageNodes?: number;
}

/** The default values of {@link MessageLimits}. */
export const messageLimitDefaults: Required<MessageLimits> = { maxMessageDepth: 512, maxMessageNodes: 1_000_000 };

/** Returns all message limits, with defaults for those that are absent. */
export function messageLimitsOf({
  maxMessageDepth = messageLimitDefaults.maxMessageDepth,
  maxMessageNodes = messageLimitDefaults.maxMessageNodes,
}: MessageLimits): Required<MessageLimits> {
  return { maxMessageDepth, maxMessageNodes };
}

/**
 * Checks a JSON text against the limits before it is parsed. Returns a sentence that names the exceeded limit, or
 * `undefined` if the text is within the limits.
 *
 * A transport that receives text calls this function before `JSON.parse`. It is fast: a short text needs no check; in a
 * longer text, brackets and commas are counted by native searches, and the text is scanned only if there are too many
 * of them.
 */
export function checkMessageText(text: string, limits: Required<MessageLimits>): string | undefined {
  const { maxMessageDepth, maxMessageNodes } = limits;
  // A shorter text can't exceed a limit: a level takes two characters (an opening and a closing bracket), and so does a
  // node (a bracket or comma, and a value).
  const mayBeDeep = text.length > 2 * maxMessageDepth && countsMore(text, maxMessageDepth, "{", "[");
  const mayBeLarge = text.length > 2 * maxMessageNodes && countsMore(text, maxMessageNodes, ",", "{", "[");
  return mayBeDeep || mayBeLarge ? scan(text, limits) : undefined;
}

/**
 * Checks a message that arrives as a parsed value against the limits, as {@link checkMessageText} does for a text. A
 * value that contains itself exceeds the depth limit.
 */
export function checkMessageValue(value: unknown, limits: Required<MessageLimits>): string | undefined {
  const { maxMessageDepth, maxMessageNodes } = limits;
  const exceeded = exceededBound(value, maxMessageDepth, maxMessageNodes);
  return exceeded === undefined ? undefined : problemOf(exceeded, limits);
}

/** Returns the sentence that names the exceeded limit. */
export function problemOf(exceeded: string, { maxMessageDepth, maxMessageNodes }: Required<MessageLimits>): string {
  return exceeded === "depth" ? tooDeep(maxMessageDepth) : tooManyNodes(maxMessageNodes);
}

function countsMore(text: string, limit: number, ...characters: readonly string[]): boolean {
  let count = 0;
  for (const character of characters) {
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function scan(text: string, { maxMessageDepth, maxMessageNodes }: Required<MessageLimits>): string | undefined {
  let depth = 0;
  let nodes = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        nodes += 1;
        if (depth > maxMessageDepth) return tooDeep(maxMessageDepth);
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        nodes += 1;
    }
    if (nodes > maxMessageNodes) return tooManyNodes(maxMessageNodes);
  }
  return undefined;
}

function tooDeep(limit: number): string {
  return `A message is nested deeper than the limit of ${limit} levels and was skipped.`;
}

function tooManyNodes(limit: number): string {
  return `A message has more nodes than the limit of ${limit} and was skipped.`;
}

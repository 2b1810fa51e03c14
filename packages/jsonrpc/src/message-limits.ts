import { exceededBound } from "./json-depth.js";

/**
 * The limits of the structure of one message. The peer chooses the depth and the number of nodes of its messages, and
 * both cost more than their bytes: 60 MB of `[],` take over a gigabyte once parsed, and recursive code overflows the
 * stack on values some thousands of levels deep.
 *
 * A message over a limit is skipped and reported: a request gets an error response, a response rejects its request, and
 * the connection stays open.
 */
export interface MessageLimits {
  /**
   * The maximum number of levels of nested arrays and objects in a message. The default is 512: other implementations
   * refuse at 64 to 128, and `JSON.stringify` fails at about 4,000.
   */
  readonly maxMessageDepth?: number;
  /**
   * The maximum number of nodes in a message: arrays, objects, and elements or members beyond the first of each; in a
   * text, the opening brackets and the commas. The default is 1,000,000.
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
 * Checks a text against the limits before it is parsed. It returns a sentence that names the exceeded limit, or
 * `undefined` for a text within the limits.
 *
 * A transport that receives text calls this function before `JSON.parse`. Short texts return at once; in longer ones
 * the brackets are counted by native searches, and only a text with too many of them, strings included, is scanned.
 */
export function checkMessageText(text: string, limits: Required<MessageLimits>): string | undefined {
  const { maxMessageDepth, maxMessageNodes } = limits;
  // A level takes at least two characters (opening and closing bracket), and so does a node (a bracket or a comma, and a value).
  const mayBeDeep = text.length > 2 * maxMessageDepth && countsMore(text, maxMessageDepth, "{", "[");
  const mayBeLarge = text.length > 2 * maxMessageNodes && countsMore(text, maxMessageNodes, ",", "{", "[");
  return mayBeDeep || mayBeLarge ? scan(text, limits) : undefined;
}

/**
 * Checks a message that arrives as a value against the limits, as {@link checkMessageText} does for a text. A value
 * that contains itself exceeds the depth limit.
 */
export function checkMessageValue(value: unknown, limits: Required<MessageLimits>): string | undefined {
  const { maxMessageDepth, maxMessageNodes } = limits;
  const exceeded = exceededBound(value, maxMessageDepth, maxMessageNodes);
  if (exceeded === undefined) return undefined;
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
const BACKSLASH = 0x5c;
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

/** Where the string that begins at `start` ends: its closing quote, or the end of the text if it is cut off. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote; // an even number of backslashes
  }
  return text.length;
}

function tooDeep(limit: number): string {
  return `A message is nested deeper than the limit of ${limit} levels and was skipped.`;
}

function tooManyNodes(limit: number): string {
  return `A message has more nodes than the limit of ${limit} and was skipped.`;
}

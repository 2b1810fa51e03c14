import { checkMessageText, checkMessageValue } from "@acp-kit/jsonrpc";

/** How deep a recorded message may be nested, and how many values it may hold. Readers, replays and traces rely on it. */
export const recordableLimits = { maxDepth: 256, maxValues: 1_000_000 } as const;

/** The depth is checked once the text is parsed: parsing recurses into nothing. */
const textLimits = {
  maxMessageDepth: Number.POSITIVE_INFINITY,
  /** Commas and brackets: at most two for each value, and those of the entry around the message. */
  maxMessageNodes: 2 * recordableLimits.maxValues + 100,
};

/** Whether a JSON text can be parsed at a bounded cost: a few megabytes of `[],` take a gigabyte once they are parsed. */
export function isTextRecordable(text: string): boolean {
  return checkMessageText(text, textLimits) === undefined;
}

/**
 * Whether a value can be walked and written: within {@link recordableLimits}, and without cycles.
 *
 * @param envelope how much deeper it may be nested: an entry holds a message.
 */
export function isRecordable(value: unknown, envelope = 0): boolean {
  const maxMessageDepth = recordableLimits.maxDepth + envelope;
  return checkMessageValue(value, { maxMessageDepth, maxMessageNodes: recordableLimits.maxValues }) === undefined;
}

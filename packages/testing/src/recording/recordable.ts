import { checkMessageText, checkMessageValue } from "@acp-kit/jsonrpc";

/** The maximum nesting and number of values of a recorded message, on which readers rely. */
export const recordableLimits = { maxDepth: 256, maxValues: 1_000_000 } as const;

/** The limits of a JSON text. The depth is checked after parsing, because `JSON.parse` does not recurse. */
const textLimits = {
  maxMessageDepth: Number.POSITIVE_INFINITY,
  /** The maximum number of commas and brackets: two for each value, and 100 for the entry around them. */
  maxMessageNodes: 2 * recordableLimits.maxValues + 100,
};

/** Whether a text can be parsed at a bounded cost: a few megabytes of `[],` take a gigabyte. */
export function isTextRecordable(text: string): boolean {
  return checkMessageText(text, textLimits) === undefined;
}

/**
 * Returns whether a value is within {@link recordableLimits} and has no cycles, so that it can be serialized.
 *
 * @param envelope the additional nesting that is allowed, because an entry contains a message.
 */
export function isRecordable(value: unknown, envelope = 0): boolean {
  const maxMessageDepth = recordableLimits.maxDepth + envelope;
  return checkMessageValue(value, { maxMessageDepth, maxMessageNodes: recordableLimits.maxValues }) === undefined;
}

/** How deep a recorded message may be nested, and how many values it may hold. Readers, replays and traces rely on it. */
export const recordableLimits = { maxDepth: 256, maxValues: 1_000_000 } as const;

/** Commas and brackets: at most two for each value. */
const MAX_SIGNS = 2 * recordableLimits.maxValues + 100;

/** A shorter text is parsed without a look at it first. */
const SHORT = 65_536;

/** Whether a JSON text can be parsed at a bounded cost: a few megabytes of `[],` take a gigabyte once they are parsed. */
export function isTextRecordable(text: string): boolean {
  if (text.length < SHORT) return true;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COMMA || code === BRACE || code === BRACKET) values += 1;
  }
  return values <= MAX_SIGNS;
}

/**
 * Whether a value can be walked and written: within {@link recordableLimits}, and without cycles.
 *
 * @param envelope how much deeper it may be nested: an entry holds a message.
 */
export function isRecordable(value: unknown, envelope = 0): boolean {
  // Level by level, so that no nesting exhausts the stack; a cycle ends at the bound.
  let level: readonly object[] = isObject(value) ? [value] : [];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === recordableLimits.maxDepth + envelope) return false;
    const below: object[] = [];
    for (const holder of level) {
      for (const member of Object.values(holder) as unknown[]) {
        values += 1;
        if (isObject(member)) below.push(member);
      }
      if (values > recordableLimits.maxValues) return false;
    }
    level = below;
  }
  return true;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const BACKSLASH = 0x5c;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (at - escapes - 1 > start && text.charCodeAt(at - escapes - 1) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

import type { PageLimits, StoredJournalEntry } from "@acp-kit/gateway";

/** The highest number of entries of a part. A reader that needs one of them reads them all. */
export const MAX_PART_ENTRIES = 100;
/** The highest number of characters of a part, unless it has only one entry. */
export const MAX_PART_CHARS = 65_536;

/** Consecutive entries of one append. `RedisKeys.journal` describes how Redis stores a part. */
export interface JournalPart {
  /** The number of the first entry. */
  readonly first: number;
  /** The number of the last entry. */
  readonly last: number;
  /** The number of characters of the entries. */
  readonly chars: number;
  /** The entries, with line ends between them. */
  readonly texts: string;
}

/** A part in a reply of Redis: its id, and the name and the value of its field. */
export type PartReply = readonly [id: string, field: readonly [name: string, texts: string]];

/** Divides the entries of an append into parts. An entry with a line end, which no gateway writes, is a part of its own. */
export function partsOf(entries: readonly string[], first: number): readonly JournalPart[] {
  const parts: JournalPart[] = [];
  let from = 0;
  let chars = 0;
  const endPart = (end: number): void => {
    if (end === from) return;
    const texts = entries.slice(from, end).join("\n");
    parts.push({ first: first + from, last: first + end - 1, chars, texts });
    from = end;
    chars = 0;
  };
  for (let at = 0; at < entries.length; at++) {
    const text = entries[at] as string;
    const isAlone = text.includes("\n");
    if (isAlone || at - from === MAX_PART_ENTRIES || chars + text.length > MAX_PART_CHARS) endPart(at);
    chars += text.length;
    if (isAlone) endPart(at + 1);
  }
  endPart(entries.length);
  return parts;
}

/** Returns the entries of consecutive parts that are after a number, up to the limits. The first entry is returned whatever its size. */
export function entriesOf(
  parts: readonly PartReply[],
  after: number,
  { maxEntries, maxChars }: PageLimits,
): StoredJournalEntry[] {
  const entries: StoredJournalEntry[] = [];
  let chars = 0;
  for (const part of parts) {
    const { first, epoch, texts } = splitPart(part);
    for (let at = Math.max(0, after + 1 - first); at < texts.length; at++) {
      const text = texts[at] as string;
      chars += text.length;
      if (entries.length >= maxEntries || (entries.length > 0 && chars > maxChars)) return entries;
      entries.push({ seq: first + at, epoch, text });
    }
  }
  return entries;
}

/** The number of the first entry of a part. */
export function firstOfPart([, [name]]: PartReply): number {
  return Number.parseInt(name, 10);
}

function splitPart(part: PartReply): {
  readonly first: number;
  readonly epoch: number;
  readonly texts: readonly string[];
} {
  const [id, [, texts]] = part;
  const dash = id.indexOf("-");
  const first = firstOfPart(part);
  const last = Number(id.slice(0, dash));
  return { first, epoch: Number(id.slice(dash + 1)), texts: first === last ? [texts] : texts.split("\n") };
}

import type { PageLimits, StoredJournalEntry } from "./journal-page.js";

/** The limits of one {@link JournalPart}. */
export const journalPartLimits = {
  /** The highest number of entries. A reader that needs one of them reads them all. */
  maxEntries: 100,
  /**
   * The highest number of characters of the entries, without line ends between them. A part with only one entry may
   * have more.
   */
  maxChars: 65_536,
} as const;

/**
 * Consecutive entries of one append, which an engine stores together, because one row or one message for each entry
 * costs more time and space.
 */
export interface JournalPart {
  /** The number of the first entry. */
  readonly first: number;
  /** The number of the last entry. */
  readonly last: number;
  /** The number of characters of the entries, without the line ends between them. */
  readonly chars: number;
  /** The entries, with line ends between them. */
  readonly texts: string;
}

/**
 * Divides the entries of an append into parts within {@link journalPartLimits}. `first` is the number of the first
 * entry. An entry with a line end, which no gateway writes, is a part of its own: if a part has more than one entry,
 * its texts can be split at the line ends.
 */
export function journalPartsOf(entries: readonly string[], first: number): readonly JournalPart[] {
  const parts: JournalPart[] = [];
  let from = 0;
  let chars = 0;
  const endPart = (end: number): void => {
    if (end === from) return;
    const texts = end - from === 1 ? (entries[from] as string) : entries.slice(from, end).join("\n");
    parts.push({ first: first + from, last: first + end - 1, chars, texts });
    from = end;
    chars = 0;
  };
  for (let at = 0; at < entries.length; at++) {
    const text = entries[at] as string;
    const isAlone = text.includes("\n");
    if (isAlone || at - from === journalPartLimits.maxEntries || chars + text.length > journalPartLimits.maxChars)
      endPart(at);
    chars += text.length;
    if (isAlone) endPart(at + 1);
  }
  endPart(entries.length);
  return parts;
}

/** A part that an engine has stored. */
export type StoredJournalPart = Omit<JournalPart, "chars"> & {
  /** The epoch under which the part was appended. */
  readonly epoch: number;
};

/**
 * Returns the entries of consecutive parts that are after a number, up to the limits. The first entry is returned
 * whatever its size, unless `maxEntries` is 0.
 */
export function entriesOfParts(
  parts: Iterable<StoredJournalPart>,
  after: number,
  { maxEntries, maxChars }: PageLimits,
): StoredJournalEntry[] {
  const entries: StoredJournalEntry[] = [];
  let chars = 0;
  for (const { first, last, epoch, texts: joined } of parts) {
    const texts = first === last ? [joined] : joined.split("\n");
    for (let at = Math.max(0, after + 1 - first); at < texts.length; at++) {
      const text = texts[at] as string;
      chars += text.length;
      if (entries.length >= maxEntries || (entries.length > 0 && chars > maxChars)) return entries;
      entries.push({ seq: first + at, epoch, text });
    }
  }
  return entries;
}

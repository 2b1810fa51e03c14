import type { PageLimits, StoredJournalEntry } from "@acp-kit/gateway";

/** A part in a reply of Redis: its id, and the name and the value of its field. */
export type PartReply = readonly [id: string, field: readonly [name: string, texts: string]];

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

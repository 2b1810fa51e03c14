/** The size of an entry. */
export interface SizedEntry {
  /** A turn begins with it. */
  readonly begins: boolean;
  readonly bytes: number;
}

/**
 * Returns how many of the oldest entries to drop, so that a log over its limit has room for a while: whole turns, down to three
 * quarters of the limit, and never the last turn.
 */
export function turnsToDrop(entries: readonly SizedEntry[], total: number, maxBytes: number): number {
  let left = total;
  let dropped = 0;
  let passed = 0;
  for (const { begins, bytes } of entries) {
    if (begins && passed > 0) {
      dropped = passed;
      if (left <= maxBytes * 0.75) return dropped;
    }
    left -= bytes;
    passed++;
  }
  return dropped;
}

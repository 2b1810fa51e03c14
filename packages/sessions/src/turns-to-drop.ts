/** The size of an entry of a log. */
export interface SizedEntry {
  /** Whether a turn begins with the entry. */
  readonly begins: boolean;
  readonly bytes: number;
}

/**
 * Returns how many of the oldest entries of a log to remove when it exceeds its limit: whole turns, down to three
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

/** The size of an entry of a log. */
export interface SizedEntry {
  /** Whether a turn begins with the entry. */
  readonly begins: boolean;
  readonly bytes: number;
}

/** Returns the size of several entries. */
export const totalOf = (entries: readonly Pick<SizedEntry, "bytes">[]): number =>
  entries.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Returns how many of the oldest entries to remove from a log that exceeds its limit: whole turns, until the rest has
 * at most three quarters of the limit, but never the last turn.
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

/**
 * A position in a journal: the number of an entry and the epoch under which it was appended. If an engine lost entries
 * and other entries took their numbers, the epochs differ, so that a reader detects the loss.
 */
export interface Position {
  /** The number of the entry, from 1; 0 is the position before the first entry. */
  readonly seq: number;
  /** The epoch of the lease; 0 only if `seq` is 0. */
  readonly epoch: number;
}

/** The position before the first entry. */
export const beginning: Position = { seq: 0, epoch: 0 };

/** A stored entry of a journal. */
export interface StoredJournalEntry extends Position {
  readonly text: string;
}

/** The limits of one read. The first entry is returned whatever its size, unless `maxEntries` is 0. */
export interface PageLimits {
  /** The maximum number of entries. With 0, the read only checks the position. */
  readonly maxEntries: number;
  /** The maximum number of characters of the entries' texts. */
  readonly maxChars: number;
}

/**
 * The result of a read:
 *
 * - `page`: the entries after the position, without gaps. `last` is the end of the journal at the time of the read.
 * - `expired`: entries after the position were trimmed. `first` is the oldest kept entry.
 * - `ahead`: the journal does not contain the position, because it lost entries, or because the position is of another
 *   journal.
 * - `missing`: there is no such session in this scope.
 */
export type JournalPage =
  | { readonly is: "page"; readonly entries: readonly StoredJournalEntry[]; readonly last: Position }
  | { readonly is: "expired"; readonly first: number }
  | { readonly is: "ahead"; readonly last: Position }
  | { readonly is: "missing" };

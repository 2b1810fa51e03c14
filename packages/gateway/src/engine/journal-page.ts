/**
 * One place in a journal: the number of an entry and the epoch under which it was appended. An engine that lost entries and
 * wrote others in their place has another epoch there, so that a reader notices.
 */
export interface Position {
  /** 1 for the first entry; 0 is before it. */
  readonly seq: number;
  /** 0 only at `seq` 0. */
  readonly epoch: number;
}

/** Before the first entry. */
export const beginning: Position = { seq: 0, epoch: 0 };

/** An entry as the engine keeps it. */
export interface StoredJournalEntry extends Position {
  readonly text: string;
}

/** How much a read may return. At least one entry is returned where there is one, whatever its size. */
export interface PageLimits {
  readonly maxEntries: number;
  /** Of the entries' text, in characters. */
  readonly maxChars: number;
}

/**
 * The result of a read:
 *
 * - `page`: the entries behind the position, without gaps. `last` is the end of the journal at that moment.
 * - `expired`: entries behind the position were trimmed; `first` is the oldest one left.
 * - `ahead`: the journal does not contain the position. It lost entries, or the position is of another journal.
 * - `missing`: there is no such session in this scope.
 */
export type JournalPage =
  | { readonly is: "page"; readonly entries: readonly StoredJournalEntry[]; readonly last: Position }
  | { readonly is: "expired"; readonly first: number }
  | { readonly is: "ahead"; readonly last: Position }
  | { readonly is: "missing" };

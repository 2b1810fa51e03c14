import type { IncomingCompactionUpdate, IncomingContentBlock } from "@acp-kit/types";
import { isPlainText } from "./message-draft.js";
import type { CompactionEntry } from "./transcript-entry.js";

/** Creates the entry of a new compaction. */
export function newCompaction(compactionId: string): Omit<CompactionEntry, "key"> {
  return { type: "compaction", compactionId, status: "in_progress", summary: [] };
}

/**
 * Applies an update to the entry of a compaction. Members that are absent in the update are kept; `null` removes a
 * member.
 */
export function mergeCompaction(before: CompactionEntry, update: IncomingCompactionUpdate): CompactionEntry {
  const { status, summary, error, _meta: meta } = update;
  const { error: _error, meta: _meta, ...kept } = before;
  return {
    ...kept,
    status,
    ...(summary !== undefined && { summary: summary ?? [] }),
    ...keptOr("error", before.error, error),
    ...keptOr("meta", before.meta, meta),
  };
}

/**
 * The maximum number of content blocks in a summary that arrives in pieces. The number is limited because each piece
 * copies the list. Further blocks are dropped.
 */
export const MAX_SUMMARY_BLOCKS = 10_000;

/** Adds a piece to the summary. Plain text is appended to the plain text before it. */
export function addToSummary(before: CompactionEntry, block: IncomingContentBlock): CompactionEntry {
  const last = before.summary.at(-1);
  if (last === undefined || !isPlainText(last) || !isPlainText(block)) {
    if (before.summary.length >= MAX_SUMMARY_BLOCKS) return before;
    return { ...before, summary: [...before.summary, block] };
  }
  return { ...before, summary: before.summary.with(-1, { type: "text", text: last.text + block.text }) };
}

/**
 * Returns an object with one member, `name`: the value of `patch`, or `before` if `patch` is `undefined`. If `patch` is
 * `null`, the object is empty.
 */
function keptOr<Name extends string, T>(
  name: Name,
  before: T | undefined,
  patch: T | null | undefined,
): { [Key in Name]?: T } {
  const value = patch === undefined ? before : patch;
  return (value == null ? {} : { [name]: value }) as { [Key in Name]?: T };
}

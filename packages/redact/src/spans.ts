import { REDACTED } from "./secret-names.js";

/** A part of a text, from the index `start` up to, but not including, the index `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces spans of a text by {@link REDACTED}. The spans can overlap and be in any order. If there are no spans,
 * returns the text itself.
 */
export function hideSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const sorted = [...spans].sort((a, b) => a.start - b.start);
  const pieces: string[] = [];
  let done = 0;
  let hidden = -1;
  for (const { start, end } of sorted) {
    if (end <= done || start >= end) continue;
    if (start > done || hidden !== done) {
      pieces.push(text.slice(done, start), REDACTED);
    }
    done = end;
    hidden = end;
  }
  pieces.push(text.slice(done));
  return pieces.join("");
}

import { REDACTED } from "@acp-kit/protocol/internal";

/** A part of a text, from the index `start` up to, but not including, the index `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the same spans in order. Spans that overlap or touch become one, and empty spans are left out. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start >= end) continue;
    const last = merged.at(-1);
    if (last === undefined || start > last.end) merged.push({ start, end });
    else if (end > last.end) merged[merged.length - 1] = { start: last.start, end };
  }
  return merged;
}

/** Replaces spans of a text by {@link REDACTED}. They can overlap, in any order. Without any, returns the text. */
export function hideSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of mergeSpans(spans)) {
    pieces.push(text.slice(done, start), REDACTED);
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join("");
}

import type { Position } from "../engine/journal-page.js";
import { isBusy, type SessionState } from "./session-state.js";

/**
 * Adds a view start before the turn that now begins, unless work or a request of an earlier turn is still open.
 *
 * Of the starts in between, it keeps so many that the distance from any entry back to a start is at most the distance
 * from this entry to the end of the journal, apart from the turns at both ends. Their number grows with the logarithm
 * of the length of the journal.
 *
 * @param at the last entry before the turn.
 */
export function withViewStart(state: SessionState, at: Position): readonly Position[] | undefined {
  const { viewStarts = [], turn, requests, activity } = state;
  const hasBackground = Array.isArray(activity?.background) && activity.background.length > 0;
  if (turn !== null || requests.length > 0 || isBusy(state) || hasBackground) return state.viewStarts;
  const kept: Position[] = [];
  for (const [index, start] of viewStarts.entries()) {
    const before = kept.at(-1);
    const after = viewStarts[index + 1];
    const isNeeded = before === undefined || after === undefined || after.seq - before.seq > at.seq - after.seq;
    if (isNeeded) kept.push(start);
  }
  return [...kept, at];
}

/**
 * Returns the last view start that is not after a position; `undefined` if the view has to begin at the first entry.
 */
export function viewStartFor({ viewStarts = [] }: SessionState, { seq }: Position): Position | undefined {
  return viewStarts.findLast((start) => start.seq <= seq);
}

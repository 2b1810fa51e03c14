import type { Position } from "../engine/journal-page.js";
import type { Feed } from "./feed.js";

/**
 * The first entry to keep, so that a journal has at most three quarters of `maxEntries`: the start of a turn. `undefined` if it
 * has no more than `maxEntries`, or nothing but its last turn. Reads only what is to be removed, and the turn behind it.
 *
 * @param first the oldest entry that is kept now.
 */
export async function cutOf(
  feed: Feed,
  { first, last, maxEntries }: { readonly first: number; readonly last: Position; readonly maxEntries: number },
): Promise<number | undefined> {
  if (last.seq - first + 1 <= maxEntries) return undefined;
  const target = last.seq - Math.floor(maxEntries * 0.75) + 1;
  let cut: number | undefined;
  for await (const page of feed.history(last))
    for (const { seq, entry } of page) {
      if (entry.type !== "turn_started" || seq <= first) continue;
      if (seq >= target) return cut ?? seq; // the turn before it is longer than the rest
      cut = seq;
    }
  return cut;
}

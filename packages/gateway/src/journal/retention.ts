import type { Position } from "../engine/journal-page.js";
import type { Feed } from "./feed.js";

/** How much of a session is kept. Without a bound, everything is. Whole turns are removed, oldest first. */
export interface Retention {
  /** How long after its start a turn is kept, in milliseconds. A running turn is always kept. */
  readonly maxAgeMs?: number;
  /** Turns that are kept. At least 1. */
  readonly maxTurns?: number;
  /** Characters of a journal's JSON text. Beyond, turns are removed down to three quarters; the last turn is always kept. */
  readonly maxChars?: number;
}

/** What a journal holds, as far as {@link Retention} needs to know. */
export interface KeptHistory {
  /** The oldest entry. */
  readonly first: number;
  readonly turns: number;
  /** Characters of its entries; `null` after an owner was killed: then they have to be counted. */
  readonly chars: number | null;
  /** When its oldest turn started, in milliseconds since 1970; `null` without a turn. */
  readonly since: number | null;
}

/** Where to cut a journal, and what is left then. */
export interface Cut {
  readonly first: number;
  readonly turns: number;
  readonly chars: number;
  readonly since: number | null;
  /** The newest list of commands among what is removed: clients that load the session need it. */
  readonly commands?: unknown;
}

/** Whether a journal holds a turn that is older than it is kept. @param now in milliseconds since 1970. */
export function hasExpired({ since }: Pick<KeptHistory, "since">, { maxAgeMs }: Retention, now: number): boolean {
  return maxAgeMs !== undefined && since !== null && since < now - maxAgeMs;
}

/** Whether something is to be removed. */
export function isOver(kept: KeptHistory, retention: Retention, now: number): boolean {
  const { maxTurns = Number.POSITIVE_INFINITY, maxChars = Number.POSITIVE_INFINITY } = retention;
  return kept.turns > maxTurns || (kept.chars ?? 0) > maxChars || hasExpired(kept, retention, now);
}

/** The characters of a journal from an entry on. Reads all of it, page by page. */
export async function countChars(feed: Feed, first: number, last: Position): Promise<number> {
  let sum = 0;
  for await (const page of feed.history(last)) for (const { seq, chars } of page) if (seq >= first) sum += chars;
  return sum;
}

/** What {@link cutOf} reads. */
export interface CutOptions {
  readonly feed: Feed;
  /** The end of the journal. */
  readonly last: Position;
  readonly kept: KeptHistory & { readonly chars: number };
  /** Whether the last turn has not ended: then it is kept. */
  readonly isRunning: boolean;
}

/**
 * The start of the first turn to keep; `undefined` if nothing can be removed. Reads only what is to be removed, and the start of the
 * turn behind it.
 *
 * @param now in milliseconds since 1970.
 */
export async function cutOf(
  { feed, last, kept, isRunning }: CutOptions,
  retention: Retention,
  now: number,
): Promise<Cut | undefined> {
  const { maxAgeMs = Number.POSITIVE_INFINITY, maxTurns = Number.POSITIVE_INFINITY, maxChars } = retention;
  const total = kept.chars;
  const charsToKeep = maxChars === undefined ? Number.POSITIVE_INFINITY : total > maxChars ? maxChars * 0.75 : maxChars;
  let turns = kept.turns;
  let chars = total;
  let commands: unknown;
  let cut: Cut | undefined;
  for await (const page of feed.history(last))
    for (const recorded of page) {
      const { seq, entry } = recorded;
      if (seq < kept.first) continue; // the engine has not removed it yet
      if (entry.type === "turn_started") {
        cut = { first: seq, turns, chars, since: entry.at, ...(commands !== undefined && { commands }) };
        if (turns <= maxTurns && chars <= charsToKeep && entry.at >= now - maxAgeMs) return laterThan(kept.first, cut);
        turns -= 1;
      }
      chars -= recorded.chars;
      if (entry.type === "trimmed") commands ??= entry.commands;
      else if (entry.type === "update") commands = commandsOf(entry.params.update) ?? commands;
    }
  if (cut === undefined || isRunning || !hasExpired(cut, retention, now)) return cut && laterThan(kept.first, cut);
  return { first: last.seq + 1, turns: 0, chars: 0, since: null, ...(commands !== undefined && { commands }) };
}

function laterThan(first: number, cut: Cut): Cut | undefined {
  return cut.first > first ? cut : undefined;
}

/** The update itself, if it lists commands. */
export function commandsOf(update: unknown): unknown {
  const { sessionUpdate } = (update ?? {}) as { readonly sessionUpdate?: unknown };
  return sessionUpdate === "available_commands_update" ? update : undefined;
}

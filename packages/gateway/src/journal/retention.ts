import type { Position } from "../engine/journal-page.js";
import type { Feed } from "./feed.js";
import type { CommandList, Cut } from "./journal-entry.js";
import type { RecordedEntry } from "./recorded-entry.js";

/**
 * The limits of the history that a gateway keeps of each session. Without limits, the gateway keeps everything. It
 * removes only whole turns, oldest first.
 */
export interface Retention {
  /**
   * The age at which a turn is removed, in milliseconds since its start. A running turn is always kept. The age is
   * measured by the system clock: if the clock jumps ahead, turns are removed too early.
   */
  readonly maxAgeMs?: number;
  /** The maximum number of turns. At least 1. */
  readonly maxTurns?: number;
  /**
   * The maximum number of characters of a journal's JSON text. If a journal is longer, turns are removed until three
   * quarters of this limit remain. The last turn is always kept.
   */
  readonly maxChars?: number;
}

/** The size and age of a journal, for {@link Retention}. */
export interface KeptHistory {
  /** The number of the oldest entry. */
  readonly first: number;
  readonly turns: number;
  /** The number of characters of the entries; `null` if they have to be counted, because an owner was killed. */
  readonly chars: number | null;
  /** The start of the oldest turn, in milliseconds since 1970; `null` without a turn. */
  readonly since: number | null;
}

/** Returns whether a journal contains a turn that is older than `maxAgeMs`. @param now in milliseconds since 1970. */
export function hasExpired({ since }: Pick<KeptHistory, "since">, { maxAgeMs }: Retention, now: number): boolean {
  return maxAgeMs !== undefined && since !== null && since < now - maxAgeMs;
}

/** Returns whether a journal exceeds a limit. */
export function isOver(kept: KeptHistory, retention: Retention, now: number): boolean {
  const { maxTurns = Number.POSITIVE_INFINITY, maxChars = Number.POSITIVE_INFINITY } = retention;
  return kept.turns > maxTurns || (kept.chars ?? 0) > maxChars || hasExpired(kept, retention, now);
}

/** Counts the characters of a journal from the entry `first` on. Reads the whole journal, page by page. */
export async function countChars(feed: Feed, first: number, last: Position): Promise<number> {
  let sum = 0;
  for await (const page of feed.history(last)) for (const { seq, text } of page) if (seq >= first) sum += text.length;
  return sum;
}

/** The journal that {@link cutOf} examines. */
export interface CutOptions {
  readonly feed: Feed;
  /** The end of the journal. */
  readonly last: Position;
  readonly kept: KeptHistory & { readonly chars: number };
  /** Whether the last turn is running. A running turn is kept. */
  readonly isRunning: boolean;
}

/**
 * Finds the start of the first turn to keep. Returns `undefined` if nothing can be removed. Reads only the entries to
 * remove, and the start of the next turn.
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
  let commands: CommandList | undefined;
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
      chars -= recorded.text.length;
      const found = commandsOf(recorded);
      if (found !== undefined && found.seq > (commands?.seq ?? 0)) commands = found;
    }
  if (cut === undefined || isRunning || !hasExpired(cut, retention, now)) return cut && laterThan(kept.first, cut);
  return { first: last.seq + 1, turns: 0, chars: 0, since: null, ...(commands !== undefined && { commands }) };
}

function laterThan(first: number, cut: Cut): Cut | undefined {
  return cut.first > first ? cut : undefined;
}

/**
 * Returns the list of slash commands in an entry; `undefined` if there is none. The list in an entry `trimmed` is older
 * than the entry.
 */
export function commandsOf({ seq, entry }: Pick<RecordedEntry, "seq" | "entry">): CommandList | undefined {
  if (entry.type === "trimmed") return entry.commands;
  if (entry.type !== "update" || entry.method !== "session/update") return undefined;
  const { update } = entry.params;
  const { sessionUpdate } = (update ?? {}) as { readonly sessionUpdate?: unknown };
  return sessionUpdate === "available_commands_update"
    ? { update, seq, ...(entry.version && { version: entry.version }) }
    : undefined;
}

import type { Engine } from "@acp-kit/gateway";
import type { EntryPosition } from "./acknowledged-entries.js";
import type { HistoryEntry } from "./history.js";
import type { Record as Log } from "./record.js";
import { entriesOf } from "./stored-journals.js";
import { lastOf, split } from "./words.js";

/**
 * Checks that a trimmed journal starts with a turn, and that no entries are missing except those that the journal
 * records as removed.
 */
export async function checkTrimmed(
  log: Log,
  truth: Engine,
  tenant: string,
  session: string,
  all: readonly HistoryEntry[],
): Promise<void> {
  const left = await entriesOf(truth, tenant, session);
  const first = all.length - left.length + 1;
  if (left.some(({ seq, text }, i) => seq !== first + i || text !== all[seq - 1]?.text))
    log.problem(`trim: ${session} does not contain its last entries`);
  const recorded = Math.max(1, ...all.map((entry) => entry.first ?? 1));
  if (first > recorded)
    log.problem(`trim: ${session} lost ${first - 1} entries, and says that ${recorded - 1} are gone`);
  if (turnAt(all, first) !== undefined) log.problem(`trim: ${session} begins in the middle of ${turnAt(all, first)}`);
}

/** Returns the turn that is running before an entry; `undefined` if none is. */
function turnAt(entries: readonly HistoryEntry[], first: number): string | undefined {
  let running: string | undefined;
  for (const { seq, type, key } of entries) {
    if (seq >= first) break;
    if (type === "turn_started") running = key;
    if (type === "turn_ended" && running === key) running = undefined;
  }
  return running;
}

function withoutCommands(words: readonly string[]): string[] {
  return words.filter((word) => !word.endsWith(":commands "));
}

/** The updates that a client received in a load. */
export interface Loaded {
  readonly session: string;
  /** The words of all chunks, joined. */
  readonly text: string;
  /** The position of the last entry of the load. */
  readonly at: EntryPosition;
  readonly removedTurns: number;
  /** The number of trims before the load began. */
  readonly trimsBefore: number;
}

/** Checks that a load replays the kept turns completely and once, and reports the number of removed turns. */
export function checkLoaded(
  log: Log,
  client: string,
  loaded: Loaded,
  { entries, trims }: { readonly entries: readonly HistoryEntry[]; readonly trims: number },
): void {
  const { session, text, at, removedTurns, trimsBefore } = loaded;
  const all = entries.filter(({ seq }) => seq <= at.seq);
  // The number of removed turns may be of a later moment than the last replayed entry, so any recorded trim may fit.
  const fits = [1, ...entries.flatMap((entry) => entry.first ?? [])].some((first) => {
    const turns = all.filter(({ seq, type }) => seq < first && type === "turn_started").length;
    const words = all.filter(({ seq }) => seq >= first).map(({ words }) => words);
    return turns === removedTurns && withoutCommands(words).join("") === withoutCommands(split(text)).join("");
  });
  // If entries were removed during the load, the load has skipped some of them, so this check is not possible.
  if (trims !== trimsBefore) return;
  // The list of commands outlives the entry that contains it.
  const [expected, loadedLast] = [all.map(({ words }) => words), split(text)].map((words) => lastOf("commands", words));
  if (expected !== loadedLast)
    log.problem(`load: ${client} has the commands ${loadedLast} of ${session} up to ${at.seq}, and not ${expected}`);
  if (fits) return;
  log.problem(`load: ${client} has "${text}" of ${session} up to ${at.seq}, with ${removedTurns} turns removed`);
}

import type { Dialogue, DialogueEntry } from "../dialogue.js";
import { MAX_LEVELS } from "../wire/input-limits.js";

/** Returns a dialogue for a report, with a note for each message that is deeper than {@link MAX_LEVELS}. */
export function writableDialogue({ name, entries }: Dialogue): Dialogue {
  return { name, entries: entries.map(writableEntry) };
}

function writableEntry(entry: DialogueEntry): DialogueEntry {
  if (!("message" in entry) || !isDeeper(entry.message, MAX_LEVELS)) return entry;
  const { message, ...rest } = entry;
  return { ...rest, raw: "(not shown)", because: `it is nested more than ${MAX_LEVELS} levels deep` };
}

/**
 * Returns whether a value has more levels of arrays and objects than `maxLevels`. The function is not recursive,
 * because a deep value would overflow the stack.
 */
function isDeeper(value: unknown, maxLevels: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; depth < maxLevels && level.length > 0; depth += 1) {
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  }
  return level.length > 0;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

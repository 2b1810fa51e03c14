import type { Dialogue, DialogueEntry } from "../dialogue.js";

/** How deep a message may be nested that a report contains: what writes and reads reports follows each level with a call. */
const MAX_LEVELS = 512;

/** A dialogue as a report contains it: a message that is nested too deep to be written is named instead. */
export function writableDialogue({ name, entries }: Dialogue): Dialogue {
  return { name, entries: entries.map(writableEntry) };
}

function writableEntry(entry: DialogueEntry): DialogueEntry {
  if (!("message" in entry) || !isDeeper(entry.message, MAX_LEVELS)) return entry;
  const { message, ...rest } = entry;
  return { ...rest, raw: "(not shown)", because: `it is nested more than ${MAX_LEVELS} levels deep` };
}

/** Whether a value has more levels of arrays and objects than this. Looks at each level at once, so that no depth is too much. */
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

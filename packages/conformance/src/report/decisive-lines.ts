import type { Dialogue, DialogueEntry } from "../dialogue.js";
import type { Finding } from "../verdict.js";
import { jsonText } from "../wire/values.js";

/** Returns the entries that a finding points to, in the dialogue that it names. */
export function decisiveEntries({ where }: Finding, dialogues: readonly Dialogue[]): readonly DialogueEntry[] {
  if (!where) return [];
  const seqs = new Set(where.seqs);
  return dialogues.find(({ name }) => name === where.dialogue)?.entries.filter(({ seq }) => seqs.has(seq)) ?? [];
}

/** Formats one entry as a line of text: its number, the sender and the message, cut at `limit` characters. */
export function entryLine(entry: DialogueEntry, limit = 300): string {
  const from = "from" in entry ? `${entry.from} →` : "·";
  const text = "message" in entry ? jsonText(entry.message) : "raw" in entry ? entry.raw : entry.event;
  return `#${entry.seq} ${from} ${text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text}`;
}

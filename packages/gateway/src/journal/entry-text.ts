import type { JournalEntry, SessionParams } from "./journal-entry.js";

/**
 * Returns the JSON text of an entry, the same as `JSON.stringify` does. Most entries are chunks of text; for these, the
 * function serializes only their strings, which takes a fifth of the time.
 */
export function entryTextOf(entry: JournalEntry): string {
  const chunk = entry.type === "update" && entry.method === "session/update" ? chunkText(entry.params) : undefined;
  return chunk ?? JSON.stringify(entry);
}

/** Returns the text of an entry with a chunk of text, or `undefined` for an update with other members. */
function chunkText(params: SessionParams): string | undefined {
  if (!hasOnly(params, "sessionId", "update")) return undefined;
  const { sessionId, update } = params;
  if (!hasOnly(update, "sessionUpdate", "content")) return undefined;
  const { sessionUpdate: kind, content } = update;
  if (kind !== "agent_message_chunk" && kind !== "agent_thought_chunk") return undefined;
  if (!hasOnly(content, "type", "text")) return undefined;
  const { type, text } = content;
  if (type !== "text" || typeof text !== "string") return undefined;
  const begin = `{"type":"update","method":"session/update","params":{"sessionId":${JSON.stringify(sessionId)},"update":`;
  return `${begin}{"sessionUpdate":"${kind}","content":{"type":"text","text":${JSON.stringify(text)}}}}}`;
}

/** Whether a value is an object with exactly these two members, in this order. */
function hasOnly<First extends string, Second extends string>(
  value: unknown,
  first: First,
  second: Second,
): value is Record<First | Second, unknown> {
  if (typeof value !== "object" || value === null) return false;
  let count = 0;
  for (const name in value) {
    if (name !== (count === 0 ? first : second)) return false;
    count += 1;
  }
  return count === 2;
}

import type { JournalEntry, SessionParams } from "./journal-entry.js";

/** The beginning of the JSON text of an entry with an update of a session, in version 1 and in version 2. */
export const BEGIN = '{"type":"update","method":"session/update","params":';
export const BEGIN_OF_V2 = '{"type":"update","version":2,"method":"session/update","params":';

/**
 * Returns the JSON text of an entry, the same as `JSON.stringify` does. Most entries are chunks of text; for these, the
 * function serializes only their strings, which takes a fifth of the time.
 */
export function entryTextOf(entry: JournalEntry): string {
  if (entry.type !== "update" || entry.method !== "session/update") return JSON.stringify(entry);
  const { version, params } = entry;
  const text = chunkText(params) ?? JSON.stringify(params);
  return `${version === 2 ? BEGIN_OF_V2 : BEGIN}${text}}`;
}

/** Returns the text of params with a chunk of text, or `undefined` for params with other members. */
function chunkText(params: SessionParams): string | undefined {
  if (!hasOnly(params, "sessionId", "update")) return undefined;
  const { sessionId, update } = params;
  if (!hasOnly(update, "sessionUpdate", "content")) return undefined;
  const { sessionUpdate: kind, content } = update;
  if (kind !== "agent_message_chunk" && kind !== "agent_thought_chunk") return undefined;
  if (!hasOnly(content, "type", "text")) return undefined;
  const { type, text } = content;
  if (type !== "text" || typeof text !== "string") return undefined;
  const begin = `{"sessionId":${JSON.stringify(sessionId)},"update":`;
  return `${begin}{"sessionUpdate":"${kind}","content":{"type":"text","text":${JSON.stringify(text)}}}}`;
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

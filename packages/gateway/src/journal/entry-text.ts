import type { JournalEntry, SessionParams } from "./journal-entry.js";

/** The beginning of the JSON text of an entry with an update of a session, in version 1 and in version 2. */
export const BEGIN = '{"type":"update","method":"session/update","params":';
export const BEGIN_OF_V2 = '{"type":"update","version":2,"method":"session/update","params":';

/**
 * Returns the JSON text of an entry, the same as `JSON.stringify` does. Most entries are chunks of text; for these, the
 * function serializes only their strings, which is faster.
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
  if (typeof update !== "object" || update === null) return undefined;
  let members = "";
  // In the order of the agent: agents send the message's id before or after the content, or none.
  for (const name in update) {
    const text = memberText(name, (update as Record<string, unknown>)[name]);
    if (text === undefined) return undefined;
    members += members === "" ? text : `,${text}`;
  }
  return members === "" ? undefined : `{"sessionId":${JSON.stringify(sessionId)},"update":{${members}}}`;
}

/** Returns the text of a member that a chunk of text has; `undefined` for other members. */
function memberText(name: string, value: unknown): string | undefined {
  switch (name) {
    case "sessionUpdate":
      if (value !== "agent_message_chunk" && value !== "agent_thought_chunk") return undefined;
      return `"sessionUpdate":"${value}"`;
    case "messageId":
      return typeof value === "string" ? `"messageId":${JSON.stringify(value)}` : undefined;
    case "content": {
      if (!hasOnly(value, "type", "text")) return undefined;
      const { type, text } = value;
      if (type !== "text" || typeof text !== "string") return undefined;
      return `"content":{"type":"text","text":${JSON.stringify(text)}}`;
    }
    default:
      return undefined;
  }
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

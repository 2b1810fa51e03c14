/** One part of a text in an update of a session. Another update, or the next part, can continue the text. */
export interface TextPart {
  /** The key of the whole text, which is the same for all its parts. */
  readonly key: string;
  readonly value: string;
  /** Whether the part begins a new text, which replaces the earlier text of this key. */
  readonly isStart: boolean;
  /** Whether the value is base64 of bytes, such as the output of a terminal. */
  readonly isBase64: boolean;
}

type Members = Readonly<Record<string, unknown>>;
type Change = (value: unknown) => unknown;

/**
 * Returns the texts in an update of a session that a later update can continue: messages, thoughts and summaries,
 * contents of tool calls, and outputs of terminals.
 */
export function textPartsIn(message: unknown): readonly TextPart[] {
  const parts: TextPart[] = [];
  mapParts(message, (part) => {
    parts.push(part);
    return part.value;
  });
  return parts;
}

/** Returns a copy of a message with other values of its parts; the message itself if the number is not the same. */
export function withTextParts(message: unknown, values: readonly string[]): unknown {
  let next = 0;
  const copy = mapParts(message, ({ value }) => values[next++] ?? value);
  return next === values.length ? copy : message;
}

function mapParts(message: unknown, map: (part: TextPart) => string): unknown {
  const params = membersOf(membersOf(message).params);
  const update = membersOf(params.update);
  const { sessionUpdate, messageId, toolCallId, terminalId, compactionId } = update;
  if (typeof sessionUpdate !== "string") return message;
  const ids = [params.sessionId, messageId, toolCallId, terminalId, compactionId].map(short);
  const key = JSON.stringify([short(sessionUpdate.replace(endOfKind, "")), ...ids]);
  let isStart = !sessionUpdate.endsWith("_chunk");
  const text: Change = (value) => {
    if (typeof value !== "string") return value;
    const part = { key, value, isStart, isBase64: false };
    isStart = false;
    return map(part);
  };
  const bytes: Change = (value) =>
    typeof value === "string" && bytesOfBase64(value) !== undefined
      ? map({ key, value, isStart, isBase64: true })
      : value;
  /** In version 1, agents send the output of their terminals, piece by piece, in the `_meta` of a tool call. */
  const piece: Change = (value) =>
    typeof value === "string"
      ? map({ key: JSON.stringify(["_meta", ...ids]), value, isStart: false, isBase64: false })
      : value;
  // The contents of tool calls have their content block in a member `content`.
  const block: Change = (value) => inMembers(value, { text, content: (inner) => inMembers(inner, { text }) });
  const blocks: Change = (value) => (Array.isArray(value) ? inItems(value, block) : block(value));
  const data: Change = (value) => inMembers(value, { data: piece });
  const changes: Readonly<Record<string, Change>> =
    sessionUpdate === "terminal_output_chunk"
      ? { data: bytes }
      : sessionUpdate === "terminal_update"
        ? { output: (value) => inMembers(value, { data: bytes }) }
        : {
            content: blocks,
            summary: blocks,
            _meta: (value) => inMembers(value, { terminal_output: data, terminal_output_delta: data }),
          };
  return inMembers(message, { params: (value) => inMembers(value, { update: (own) => inMembers(own, changes) }) });
}

/** Matches the end of `sessionUpdate` by which an update with a chunk differs from one with the whole text. */
const endOfKind = /(?:(?:_content|_output|_summary)?_chunk|_update)$/;

/** Returns the bytes of a text in base64, with one character from 0 to 255 for each; `undefined` if it is no base64. */
export function bytesOfBase64(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}

/** Returns a copy of an object with changed members; the same value if it is no object, or if none changes. */
function inMembers(value: unknown, changes: Readonly<Record<string, Change>>): unknown {
  const holder = membersOf(value);
  let copy: Record<string, unknown> | undefined;
  for (const [name, change] of Object.entries(changes)) {
    const member = holder[name];
    const changed = change(member);
    if (changed === member) continue;
    copy ??= { ...holder };
    copy[name] = changed;
  }
  return copy ?? value;
}

function inItems(list: readonly unknown[], change: Change): unknown {
  const copy = list.map(change);
  return copy.some((item, index) => item !== list[index]) ? copy : list;
}

const none: Members = {};

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : none;
}

function short(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : "";
}

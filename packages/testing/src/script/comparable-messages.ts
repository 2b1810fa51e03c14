/** The members whose values are ids that an agent or a client creates anew in each run. */
const ids: ReadonlySet<string> = new Set([
  "sessionId",
  "toolCallId",
  "messageId",
  "terminalId",
  "elicitationId",
  "requestId",
]);
/** The members whose values differ in each run, or with each version of a peer. */
const ignored: ReadonlySet<string> = new Set(["_meta", "agentInfo", "clientInfo", "info"]);

/** The number of compared levels of arrays and objects: recursion fails on thousands of levels. */
const MAX_LEVELS = 200;

/**
 * Returns messages in a form in which two runs of the same agent are equal: the method and the params of a request or a
 * notification, the result or the code of the error of a response.
 *
 * Adjacent chunks of the same message are joined. The ids of sessions, tool calls, messages, terminals and elicitations
 * become `#1`, `#2`, … in their order of appearance. Times, and values that are nested deeper than 200 levels, are
 * replaced by `…`. `_meta`, the names of both peers and the ids of requests are removed.
 *
 * @example
 * ```ts
 * await client.request("session/prompt", { sessionId, prompt });
 * expect(comparableMessages(client.receivedSoFar())).toEqual([…]);
 * ```
 */
export function comparableMessages(messages: readonly unknown[]): unknown[] {
  const names = new Map<string, string>();
  const result: unknown[] = [];
  for (const message of messages) {
    const { method, params, result: value, error } = membersOf(message);
    const isResponse = typeof method !== "string";
    const content = isResponse
      ? error === undefined
        ? { result: value }
        : { error: { code: membersOf(error).code } }
      : { method, params };
    const next = comparable(content, names, 0);
    const joined = joinedChunk(result.at(-1), next);
    if (joined === undefined) result.push(next);
    else result[result.length - 1] = joined;
  }
  return result;
}

function comparable(value: unknown, names: Map<string, string>, level: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (level === MAX_LEVELS) return "…";
  if (Array.isArray(value)) return value.map((item) => comparable(item, names, level + 1));
  const entries = Object.entries(value)
    .filter(([name, member]) => !ignored.has(name) && member !== undefined)
    .map(([name, member]) => [name, comparableMember(name, member, names, level + 1)] as const);
  return Object.fromEntries(entries);
}

function comparableMember(name: string, member: unknown, names: Map<string, string>, level: number): unknown {
  const isScalar = typeof member === "string" || typeof member === "number";
  if (isScalar && ids.has(name)) return nameOf(String(member), names);
  if (isScalar && /(?:At|[tT]imestamp)$/.test(name)) return "…";
  return comparable(member, names, level);
}

function nameOf(id: string, names: Map<string, string>): string {
  const known = names.get(id);
  if (known !== undefined) return known;
  const name = `#${names.size + 1}`;
  names.set(id, name);
  return name;
}

/** Joins two chunks into one if the second chunk continues the message of the first. */
function joinedChunk(first: unknown, second: unknown): unknown {
  const [before, after] = [chunkOf(first), chunkOf(second)];
  if (before === undefined || after === undefined || before.message !== after.message) return undefined;
  const { params } = membersOf(first);
  const update = membersOf(membersOf(params).update);
  const content = { ...membersOf(update.content), text: before.text + after.text };
  return { ...membersOf(first), params: { ...membersOf(params), update: { ...update, content } } };
}

/** Returns the text of a chunk, and all other members as JSON. Chunks of one message have equal JSON. */
function chunkOf(value: unknown): { readonly message: string; readonly text: string } | undefined {
  const { method, params } = membersOf(value);
  const { update, ...others } = membersOf(params);
  const { sessionUpdate, content, ...more } = membersOf(update);
  const { text, ...block } = membersOf(content);
  if (method !== "session/update" || typeof text !== "string" || !/_chunk$/.test(String(sessionUpdate)))
    return undefined;
  return { message: JSON.stringify([others, sessionUpdate, more, block]), text };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

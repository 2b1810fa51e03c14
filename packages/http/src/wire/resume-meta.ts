import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";

/**
 * Members of `_meta` with which a client of this package continues a conversation on another connection, if the server
 * keeps its sessions when a connection ends. They are negotiated in `initialize`: the client sends `client`, and only a
 * server that supports these members responds with an id.
 *
 * - `client`: in the request `initialize`, `true` or the client's earlier id; in the response, the client's id.
 * - `server`: in the response to `initialize`, the id of the server process. If the id changes, the new server process
 *   has not received the client's earlier requests.
 * - `cursors`: in the capabilities of the client, `true` if the server should add a `cursor` to its messages.
 * - `cursor`: in messages of the server, the position in the session after the message; in `session/resume` and
 *   `session/load`, the position to continue from; in `session/cancel`, the position at which the client cancelled: a
 *   turn of another client that began after it is not cancelled.
 * - `turn`: in `session_info_update`, `idle` at the end of a turn of another client, in version 1.
 * - `key`: in `session/prompt`, a key that the application chose. Without a key, the request's id identifies the prompt
 *   on every connection.
 * - `prompts`: in `session/resume` and `session/load`, the ids or keys of the client's pending prompts, which the
 *   client sends again.
 * - `request`: in requests of the server, a name that stays the same when the server repeats the request on another
 *   connection.
 * - `requests`: in the responses to `session/resume` and `session/load`, the names of the open requests.
 */
export const resumeMeta = {
  client: "acp-kit/client",
  server: "acp-kit/server",
  cursors: "acp-kit/cursors",
  cursor: "acp-kit/cursor",
  turn: "acp-kit/turn",
  key: "acp-kit/key",
  prompts: "acp-kit/prompts",
  request: "acp-kit/request",
  requests: "acp-kit/requests",
} as const;

/** Returns a member of the `_meta` of params or of a result. */
export function metaMember(value: unknown, key: string): unknown {
  if (!isJsonObject(value) || !isJsonObject(value._meta)) return undefined;
  return Object.hasOwn(value._meta, key) ? value._meta[key] : undefined;
}

/** Returns a copy of a value with additional members in its `_meta`. */
export function withMeta(value: unknown, members: JsonObject): JsonObject {
  const object = isJsonObject(value) ? value : {};
  return { ...object, _meta: { ...(isJsonObject(object._meta) && object._meta), ...members } };
}

/** Returns a copy of a value without some members of its `_meta`; the value itself if it has none of them. */
export function withoutMeta(value: unknown, keys: readonly string[]): unknown {
  if (!isJsonObject(value) || !isJsonObject(value._meta)) return value;
  const meta = value._meta;
  if (!keys.some((key) => Object.hasOwn(meta, key))) return value;
  const kept = Object.entries(meta).filter(([key]) => !keys.includes(key));
  const { _meta, ...rest } = value;
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

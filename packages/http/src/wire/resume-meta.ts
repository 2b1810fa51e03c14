import { isJsonObject, type JsonObject } from "./message-kind.js";

/**
 * Members of `_meta` with which a client of ours and a server that keeps sessions continue a conversation on another connection. They are negotiated by
 * `initialize`: the client names `client` there, and only a server that can do this responds with an id.
 *
 * - `client`: in the request `initialize`, `true`, or the id under which the client was known; in the response that id.
 * - `server`: in the response to `initialize`, names the process. Another one has not seen the client's earlier requests.
 * - `cursors`: in the capabilities of the client: it wants cursors.
 * - `cursor`: in messages of the server, the position of a session behind them; in `session/resume` and `session/load`, where to continue.
 * - `key`: in `session/prompt`, a key that the application chose. Without it a prompt is known by its id, on every connection.
 * - `prompts`: in `session/resume` and `session/load`, the ids or keys of the client's prompts without a response: they are sent again.
 * - `request`: in requests of the server, a name that stays the same when the request is sent again on another connection.
 * - `requests`: in the responses to `session/resume` and `session/load`, the names of the open requests.
 */
export const resumeMeta = {
  client: "acp-kit/client",
  server: "acp-kit/server",
  cursors: "acp-kit/cursors",
  cursor: "acp-kit/cursor",
  key: "acp-kit/key",
  prompts: "acp-kit/prompts",
  request: "acp-kit/request",
  requests: "acp-kit/requests",
} as const;

/** A member of the `_meta` of params or of a result. */
export function metaMember(value: unknown, key: string): unknown {
  if (!isJsonObject(value) || !isJsonObject(value._meta)) return undefined;
  return Object.hasOwn(value._meta, key) ? value._meta[key] : undefined;
}

/** A copy with more members in its `_meta`. */
export function withMeta(value: unknown, members: JsonObject): JsonObject {
  const object = isJsonObject(value) ? value : {};
  return { ...object, _meta: { ...(isJsonObject(object._meta) && object._meta), ...members } };
}

/** A copy without some members of its `_meta`; the value itself where it has none of them. */
export function withoutMeta(value: unknown, keys: readonly string[]): unknown {
  if (!isJsonObject(value) || !isJsonObject(value._meta)) return value;
  const meta = value._meta;
  if (!keys.some((key) => Object.hasOwn(meta, key))) return value;
  const kept = Object.entries(meta).filter(([key]) => !keys.includes(key));
  const { _meta, ...rest } = value;
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

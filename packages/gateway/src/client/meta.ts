/**
 * Members of `_meta` that a gateway and clients who know it exchange:
 *
 * - `cursor`: in updates and responses, the position in the session's journal, for a client that asked for it with
 *   `cursors: true` in the `_meta` of its capabilities. In `session/resume` and `session/load`, the position from which to deliver. Of several
 *   updates that one entry of the journal becomes, the last has the cursor.
 * - `turn`: `"running"` or `"idle"`: in responses to load and resume, and in `session_info_update`.
 * - `removedTurns`: in responses to load and resume, the number of turns at the session's beginning that the host's retention has
 *   removed; absent if none.
 * - `key`: in `session/prompt`, an idempotency key: a prompt that is sent again with the same key, on any connection, is run once.
 *
 * With the following, a client continues on another connection. `httpAgent` and `webSocketAgent` of `@acp-kit/http` do so by themselves:
 *
 * - `client`: in `initialize`, `true`, or the id under which the client was known; in the response that id. Its requests are known by their
 *   ids: one that is sent again on another connection is executed once.
 * - `server`: in the response to `initialize`, names the process.
 * - `prompts`: in `session/resume` and `session/load`, the ids of prompts that the client will send again.
 * - `request`: in requests of the agent, a name that stays the same on other connections.
 * - `requests`: in the responses to `session/resume` and `session/load`, the names of those that are open.
 */
export const metaKeys = {
  cursor: "acp-kit/cursor",
  cursors: "acp-kit/cursors",
  turn: "acp-kit/turn",
  removedTurns: "acp-kit/removed-turns",
  key: "acp-kit/key",
  client: "acp-kit/client",
  server: "acp-kit/server",
  prompts: "acp-kit/prompts",
  request: "acp-kit/request",
  requests: "acp-kit/requests",
} as const;

/** A member of the `_meta` of params. */
export function metaOf(params: unknown, key: string): unknown {
  const meta = (params as { readonly _meta?: unknown } | null | undefined)?._meta;
  return typeof meta === "object" && meta !== null && Object.hasOwn(meta, key)
    ? (meta as Record<string, unknown>)[key]
    : undefined;
}

/** The `_meta` of params, where it is an object. */
export function metaObjectOf(params: unknown): object | undefined {
  const meta = (params as { readonly _meta?: unknown } | null | undefined)?._meta;
  return typeof meta === "object" && meta !== null ? meta : undefined;
}

/**
 * Members of `_meta` that a gateway and clients who know it exchange:
 *
 * - `cursor`: in updates and responses, the position in the session's journal, for a client that asked for it with
 *   `cursors: true` in the `_meta` of its capabilities. In `session/resume`, the position from which to deliver.
 * - `turn`: `"running"` or `"idle"`: in responses to load and resume, and in `session_info_update`.
 * - `removedTurns`: in responses to load and resume, the number of turns at the session's beginning that the host's retention has
 *   removed; absent if none.
 * - `key`: in `session/prompt`, an idempotency key: a prompt that is sent again with the same key, on any connection, is run once.
 */
export const metaKeys = {
  cursor: "acp-kit/cursor",
  cursors: "acp-kit/cursors",
  turn: "acp-kit/turn",
  removedTurns: "acp-kit/removed-turns",
  key: "acp-kit/key",
} as const;

/** A member of the `_meta` of params. */
export function metaOf(params: unknown, key: string): unknown {
  const meta = (params as { readonly _meta?: unknown } | null | undefined)?._meta;
  return typeof meta === "object" && meta !== null && Object.hasOwn(meta, key)
    ? (meta as Record<string, unknown>)[key]
    : undefined;
}

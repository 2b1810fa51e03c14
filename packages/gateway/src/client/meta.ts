import type { Position } from "../engine/journal-page.js";
import { cursorOf } from "../journal/cursor.js";

/**
 * Members of `_meta` that a gateway and its clients exchange:
 *
 * - `cursor`: in updates and responses, the position in the session's journal. The gateway sends it to a client that
 *   requests cursors with `cursors: true` in the `_meta` of its capabilities. In `session/resume` and `session/load`,
 *   the position after which the gateway starts to send updates. If one entry of the journal becomes several updates,
 *   only the last update has the cursor. In `session/cancel`, the position at which the client cancelled: a turn of
 *   another client that began after it is not cancelled.
 * - `turn`: `"running"` or `"idle"`: in responses to load and resume, and in `session_info_update` for turns of other
 *   clients.
 * - `outcome`: beside `turn: "idle"`, how the turn ended: `{ result }` with the response to its prompt, or `{ error }`.
 * - `removedTurns`: in responses to load and resume, the number of turns at the session's beginning that the gateway's
 *   retention has removed; absent if none.
 * - `key`: in `session/prompt`, an idempotency key: a prompt that is repeated with the same key, on any connection,
 *   runs once.
 *
 * The following members let a client continue on another connection. `httpAgent` and `webSocketAgent` of
 * `@acp-kit/http` use them automatically:
 *
 * - `client`: in `initialize`, `true` or the client's earlier id; in the response, the client's id. The gateway
 *   recognises the client's requests by their ids: a request that is repeated on another connection is executed once.
 * - `server`: in the response to `initialize`, the id of the server process.
 * - `prompts`: in `session/resume` and `session/load`, the ids of the prompts that the client will send again.
 * - `request`: in requests of the agent, a name that stays the same on other connections.
 * - `requests`: in the responses to `session/resume` and `session/load`, the names of the open requests.
 */
export const metaKeys = {
  cursor: "acp-kit/cursor",
  cursors: "acp-kit/cursors",
  turn: "acp-kit/turn",
  outcome: "acp-kit/outcome",
  removedTurns: "acp-kit/removed-turns",
  key: "acp-kit/key",
  client: "acp-kit/client",
  server: "acp-kit/server",
  prompts: "acp-kit/prompts",
  request: "acp-kit/request",
  requests: "acp-kit/requests",
} as const;

/** Returns a member of the `_meta` of params. */
export function metaOf(params: unknown, key: string): unknown {
  const meta = (params as { readonly _meta?: unknown } | null | undefined)?._meta;
  return typeof meta === "object" && meta !== null && Object.hasOwn(meta, key)
    ? (meta as Record<string, unknown>)[key]
    : undefined;
}

/** Returns the `_meta` of params, if it is an object. */
export function metaObjectOf(params: unknown): object | undefined {
  const meta = (params as { readonly _meta?: unknown } | null | undefined)?._meta;
  return typeof meta === "object" && meta !== null ? meta : undefined;
}

/** Adds the cursor of a position to a message. A value that is no object stays as it is. */
export function withCursor<Message>(message: Message, position: Position): Message {
  if (typeof message !== "object" || message === null) return message;
  return { ...message, _meta: { ...metaObjectOf(message), [metaKeys.cursor]: cursorOf(position) } };
}

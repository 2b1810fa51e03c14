import type { ClientConnection } from "@acp-kit/agent";
import type { SessionNotification } from "@acp-kit/types";
import { isHistory } from "./history.js";
import type { Sessions } from "./sessions.js";

/**
 * Logs every sent update in its session, so that a replay sends the same conversation. This includes updates that the
 * library sends, for example when it fails the open tool calls of a cancelled turn. Updates of a replay are not logged.
 */
export function recordHistory(connection: ClientConnection, sessions: Sessions): void {
  connection.peer.connection.tap(({ direction, message }) => {
    const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
    if (direction !== "sent" || method !== "session/update") return;
    const { sessionId, update } = params as SessionNotification;
    if (!sessions.isReplaying(sessionId) && isHistory(update))
      sessions.find(sessionId)?.log({ type: "update", update });
  });
}

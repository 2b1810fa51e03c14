import type { ClientConnection } from "@acp-kit/agent";
import type { SessionNotification } from "@acp-kit/types";
import { isHistory } from "./history.js";
import type { Sessions } from "./sessions.js";

/**
 * Writes every update that leaves into the log of its session: what the client was told is what it will be told again. Also what the library
 * sends by itself, such as the failing of tool calls that a cancelled turn left open. While a session is being replayed nothing is written.
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

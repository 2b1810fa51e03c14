import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { decodeUpdateSessionNotification } from "@acp-kit/types/v2/decode";

/**
 * Converts what is known about a session. Version 2 requires times of RFC 3339, so another time is written anew, or
 * left out if it can't be read.
 *
 * @see https://agentclientprotocol.com/protocol/v2/session-list
 */
export function sessionInfoToV2<Info extends { readonly updatedAt?: string | null }>(info: Info): Info {
  const { updatedAt, ...rest } = info;
  if (updatedAt === undefined || updatedAt === null || isDateTime(updatedAt)) return info;
  const time = new Date(updatedAt);
  return { ...rest, ...(!Number.isNaN(time.getTime()) && { updatedAt: time.toISOString() }) } as Info;
}

/** Converts the result of `session/list`. */
export function sessionListToV2({ sessions, ...rest }: v1.ListSessionsResponse): v2.ListSessionsResponse {
  return { ...rest, sessions: sessions.map(sessionInfoToV2) };
}

/** Whether the decoder of version 2 accepts a time: it leaves other values out. */
function isDateTime(updatedAt: string): boolean {
  const update = { sessionUpdate: "session_info_update", updatedAt };
  const decoded = decodeUpdateSessionNotification.try({ sessionId: "", update });
  return decoded.ok && decoded.salvaged.length === 0;
}

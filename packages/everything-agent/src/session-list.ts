import { invalidParams } from "@acp-kit/agent";
import type { ListSessionsRequest, ListSessionsResponse } from "@acp-kit/types";
import type { EverythingStore } from "./session-store.js";
import { summaryOf } from "./session-summary.js";

/**
 * Returns one page of the sessions, the most recently used first. The cursor identifies the last session on the page by
 * its time and id. So a session that is added or removed between the requests for two pages causes no duplicate and no
 * gap.
 *
 * @throws {RpcError} `-32602` for a cursor that the agent did not create.
 */
export function pageOf(
  store: EverythingStore,
  { cwd, cursor }: ListSessionsRequest,
  pageSize: number,
): ListSessionsResponse {
  const sessions = store
    .sessionIds()
    .flatMap((sessionId) => summaryOf(sessionId, store.read(sessionId))?.info ?? [])
    .filter((info) => cwd == null || info.cwd === cwd)
    .sort((one, other) => compare(placeOf(one), placeOf(other)));
  const after = cursor == null ? undefined : readCursor(cursor);
  const rest = after === undefined ? sessions : sessions.filter((info) => compare(placeOf(info), after) > 0);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  if (last === undefined || rest.length === page.length) return { sessions: page };
  return { sessions: page, nextCursor: writeCursor(placeOf(last)) };
}

type Place = readonly [updatedAt: string, sessionId: string];

function placeOf(info: { readonly updatedAt: string; readonly sessionId: string }): Place {
  return [info.updatedAt, info.sessionId];
}

function compare([oneAt, oneId]: Place, [otherAt, otherId]: Place): number {
  if (oneAt !== otherAt) return oneAt > otherAt ? -1 : 1;
  return oneId === otherId ? 0 : oneId < otherId ? -1 : 1;
}

function writeCursor(place: Place): string {
  return btoa(encodeURIComponent(JSON.stringify(place)));
}

function readCursor(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(decodeURIComponent(atob(cursor)));
    if (Array.isArray(place) && place.length === 2 && place.every((part) => typeof part === "string")) {
      return place as unknown as Place;
    }
  } catch {
    // An invalid cursor is reported below.
  }
  throw invalidParams("Invalid params: cursor: not a cursor of this agent");
}

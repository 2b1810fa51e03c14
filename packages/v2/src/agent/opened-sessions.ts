import type { ListSessionsRequest, ListSessionsResponse, SessionInfo } from "@acp-kit/types/v2";

/**
 * The sessions that were opened on one connection. Listing sessions is part of version 2, so they are the list of an
 * agent that stores none.
 */
export class OpenedSessions {
  readonly #sessions = new Map<string, SessionInfo>();

  add(sessionId: string, { cwd, additionalDirectories }: Omit<SessionInfo, "sessionId">): void {
    this.#sessions.set(sessionId, { sessionId, cwd, ...(additionalDirectories && { additionalDirectories }) });
  }

  delete(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  list({ cwd }: ListSessionsRequest): ListSessionsResponse {
    const all = [...this.#sessions.values()];
    return { sessions: cwd == null ? all : all.filter((session) => session.cwd === cwd) };
  }
}

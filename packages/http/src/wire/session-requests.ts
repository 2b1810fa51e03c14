import type { RequestId } from "@acp-kit/jsonrpc";

/**
 * The agent's pending requests by id. The value for each request is the id of its session, or `null` without a session.
 * An agent that uses an id twice breaks a rule of JSON-RPC. The connection continues, and each of these requests gets a
 * response.
 */
export class SessionRequests {
  readonly #sessions = new Map<RequestId, (string | null)[]>();

  /** Adds a request of the agent. A request with an invalid id is ignored, because the client can't respond to it. */
  add(id: unknown, sessionId: string | null): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    const sessions = this.#sessions.get(id);
    if (sessions === undefined) this.#sessions.set(id, [sessionId]);
    else sessions.push(sessionId);
  }

  /** Returns the session ids of the requests with this id, oldest first. */
  get(id: RequestId): readonly (string | null)[] {
    return this.#sessions.get(id) ?? [];
  }

  /** Removes the request with this id in this session. */
  settle(id: RequestId, session: string | null): void {
    const sessions = this.#sessions.get(id);
    const at = sessions?.indexOf(session) ?? -1;
    if (sessions === undefined || at === -1) return;
    sessions.splice(at, 1);
    if (sessions.length === 0) this.#sessions.delete(id);
  }
}

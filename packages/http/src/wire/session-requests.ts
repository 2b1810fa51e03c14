import type { RequestId } from "@acp-kit/jsonrpc";

/**
 * The agent's requests without a response, by id, each with its session, or `null` when it belongs to none. An agent that uses an id twice breaks a
 * rule of JSON-RPC, and no connection: each of its requests gets a response.
 */
export class SessionRequests {
  readonly #sessions = new Map<RequestId, (string | null)[]>();

  /** A request of the agent. One whose id is no id gets no response of its own, and is not kept. */
  add(id: unknown, sessionId: string | null): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    const sessions = this.#sessions.get(id);
    if (sessions === undefined) this.#sessions.set(id, [sessionId]);
    else sessions.push(sessionId);
  }

  /** The sessions of the requests with this id, in their order. */
  get(id: RequestId): readonly (string | null)[] {
    return this.#sessions.get(id) ?? [];
  }

  /** The request of this session has its response. */
  settle(id: RequestId, session: string | null): void {
    const sessions = this.#sessions.get(id);
    const at = sessions?.indexOf(session) ?? -1;
    if (sessions === undefined || at === -1) return;
    sessions.splice(at, 1);
    if (sessions.length === 0) this.#sessions.delete(id);
  }
}

import type { RequestId } from "@acp-kit/jsonrpc";
import { type JsonObject, sessionIdOf } from "../wire/message-kind.js";
import { SessionRequests } from "../wire/session-requests.js";

/** A request of this client without a response. */
export interface OpenRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly sessionId: string | undefined;
}

/** Which session a message belongs to, and which request a response settles: in both directions, over all streams. */
export class MessageRoutes {
  readonly #ours = new Map<RequestId, OpenRequest>();
  readonly #theirs = new SessionRequests();

  /** A message that is sent: the session whose header it needs. */
  sent(message: JsonObject): { readonly sessionId: string | undefined; readonly method: string | undefined } {
    const id = message.id as RequestId | undefined;
    if (typeof message.method !== "string") {
      const [session = null] = id === undefined ? [] : this.#theirs.get(id);
      if (id !== undefined) this.#theirs.settle(id, session);
      return { sessionId: session ?? undefined, method: undefined };
    }
    const sessionId = sessionIdOf(message);
    if (id !== undefined) this.#ours.set(id, { id, method: message.method, sessionId });
    return { sessionId, method: message.method };
  }

  /** A message that has arrived: the request of ours that it settles. */
  received(message: JsonObject): OpenRequest | undefined {
    const id = message.id as RequestId | undefined;
    if (id === undefined) return undefined;
    if (message.method !== undefined) {
      this.requested(id, sessionIdOf(message));
      return undefined;
    }
    return this.settled(id);
  }

  /** A request of the agent: in a session, the response needs its header. */
  requested(id: RequestId, sessionId: string | undefined): void {
    this.#theirs.add(id, sessionId ?? null);
  }

  /** The request of ours that has its response. */
  settled(id: RequestId): OpenRequest | undefined {
    const request = this.#ours.get(id);
    this.#ours.delete(id);
    return request;
  }

  /** The request with this id, without settling it. */
  find(id: RequestId): OpenRequest | undefined {
    return this.#ours.get(id);
  }

  /** The open requests of a session. */
  ofSession(sessionId: string): OpenRequest[] {
    return [...this.#ours.values()].filter((request) => request.sessionId === sessionId);
  }
}

import type { RequestId } from "@acp-kit/jsonrpc";
import type { JsonObject } from "@acp-kit/jsonrpc/internal";
import { replaysSession, sessionIdOf } from "../wire/message-kind.js";
import { SessionRequests } from "../wire/session-requests.js";

/** A pending request of this client. */
export interface OpenRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly sessionId: string | undefined;
  /** Whether the agent replays the session before it responds. */
  readonly replays: boolean;
}

/** Finds the session of a message and the request of a response, in both directions and all streams. */
export class MessageRoutes {
  readonly #ours = new Map<RequestId, OpenRequest>();
  readonly #theirs = new SessionRequests();

  /** Records a message to send. Returns its method, and the session id for the header `Acp-Session-Id`. */
  sent(message: JsonObject): { readonly sessionId: string | undefined; readonly method: string | undefined } {
    const id = message.id as RequestId | undefined;
    if (typeof message.method !== "string") {
      const [session = null] = id === undefined ? [] : this.#theirs.get(id);
      if (id !== undefined) this.#theirs.settle(id, session);
      return { sessionId: session ?? undefined, method: undefined };
    }
    const sessionId = sessionIdOf(message);
    if (id !== undefined) {
      this.#ours.set(id, { id, method: message.method, sessionId, replays: replaysSession(message) });
    }
    return { sessionId, method: message.method };
  }

  /** Records a received message. If it is a response, returns the request of this client that it settles. */
  received(message: JsonObject): OpenRequest | undefined {
    const id = message.id as RequestId | undefined;
    if (id === undefined) return undefined;
    if (message.method !== undefined) {
      this.requested(id, sessionIdOf(message));
      return undefined;
    }
    return this.settled(id);
  }

  /** Records a request of the agent. Its response must have the `sessionId` in the header `Acp-Session-Id`. */
  requested(id: RequestId, sessionId: string | undefined): void {
    this.#theirs.add(id, sessionId ?? null);
  }

  /** Removes and returns the pending request with this id. */
  settled(id: RequestId): OpenRequest | undefined {
    const request = this.#ours.get(id);
    this.#ours.delete(id);
    return request;
  }

  /** The pending request with this id. */
  find(id: RequestId): OpenRequest | undefined {
    return this.#ours.get(id);
  }

  /** The pending requests of a session. */
  ofSession(sessionId: string): OpenRequest[] {
    return [...this.#ours.values()].filter((request) => request.sessionId === sessionId);
  }
}

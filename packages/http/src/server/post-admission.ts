import type { RequestId } from "@acp-kit/jsonrpc";
import type { JsonObject } from "@acp-kit/jsonrpc/internal";
import { SESSION_NOT_OPEN } from "../wire/header-names.js";
import { acceptsUnopenedSession, kindOfMessage, opensSession, sessionIdOf } from "../wire/message-kind.js";
import { SessionRequests } from "../wire/session-requests.js";
import { type ClientRequests, hashOf } from "./client-requests.js";
import type { AllServerLimits } from "./handler-options.js";
import type { PostedMessage } from "./read-message.js";
import { Refusal } from "./refusal.js";
import type { SessionStreams } from "./session-streams.js";

/** The options of a {@link PostAdmission}. */
export interface PostAdmissionOptions {
  readonly limits: AllServerLimits;
  readonly sessions: SessionStreams;
  readonly clientRequests: ClientRequests;
}

/** Decides whether a POST is delivered: checks JSON-RPC members, the session and its header, and the id. */
export class PostAdmission {
  readonly #limits: AllServerLimits;
  readonly #sessions: SessionStreams;
  readonly #clientRequests: ClientRequests;
  readonly #agentRequests = new SessionRequests();

  constructor({ limits, sessions, clientRequests }: PostAdmissionOptions) {
    this.#limits = limits;
    this.#sessions = sessions;
    this.#clientRequests = clientRequests;
  }

  /** Adds a request of the agent. The header of its response must name the session whose stream it used. */
  agentRequested(id: RequestId, sessionId: string | undefined): void {
    this.#agentRequests.add(id, sessionId ?? null);
  }

  /** Removes a request of the agent to which the server itself has responded. */
  agentSettled(id: RequestId, sessionId: string): void {
    this.#agentRequests.settle(id, sessionId);
  }

  /**
   * Returns whether to deliver the message; `false` for a repeated POST.
   *
   * @throws {Refusal} when the message is invalid, its header `Acp-Session-Id` is wrong, its session is not open, or a
   * limit is exceeded.
   */
  admit({ message, text }: PostedMessage, sessionHeader: string | null): boolean {
    const kind = kindOfMessage(message);
    if (kind === "invalid") {
      throw new Refusal(
        400,
        'The body is not a JSON-RPC 2.0 message: it needs `jsonrpc: "2.0"` and a method, or a result, or an error.',
      );
    }
    const { maxOpenRequests } = this.#limits;
    if (kind === "response") {
      this.#checkResponse(message, sessionHeader);
      return true;
    }
    const method = message.method as string;
    if (method === "initialize")
      throw new Refusal(400, "The connection is initialized already.", { id: readableId(message) });
    const sessionId = this.#checkSession(message, method, sessionHeader);
    if (kind === "notification" || message.id === null) return true;
    const id = message.id as RequestId;
    const hash = hashOf(text);
    const judgement = this.#clientRequests.judge(id, hash);
    if (judgement === "repeated") return false;
    if (judgement === "conflict") throw new Refusal(400, "Another request with this id has no response yet.", { id });
    if (this.#clientRequests.size >= maxOpenRequests) {
      throw new Refusal(429, `More than ${maxOpenRequests} requests have no response yet.`, {
        id,
        limit: "maxOpenRequests",
      });
    }
    if (sessionId !== undefined && opensSession(method)) this.#sessions.require(sessionId);
    this.#clientRequests.add(id, { method, sessionId, hash });
    return true;
  }

  #checkSession(message: JsonObject, method: string, header: string | null): string | undefined {
    const id = readableId(message);
    const sessionId = sessionIdOf(message);
    if (sessionId !== undefined && header === null) {
      throw new Refusal(400, `${method} belongs to a session: send its id in the header Acp-Session-Id.`, { id });
    }
    if (sessionId !== undefined && header !== sessionId) {
      throw new Refusal(400, "The header Acp-Session-Id and `params.sessionId` differ.", { id });
    }
    if (header === null) return undefined;
    if (this.#sessions.get(header) === undefined && !acceptsUnopenedSession(method)) {
      const message = "The session is not open on this connection: create, load or resume it first.";
      throw new Refusal(404, message, { id, code: SESSION_NOT_OPEN });
    }
    return header;
  }

  #checkResponse(message: JsonObject, header: string | null): void {
    const id = message.id as RequestId;
    const sessions = this.#agentRequests.get(id);
    const isExpected = sessions.length === 0 || sessions.includes(header) || sessions.includes(null);
    if (!isExpected && header === null) {
      throw new Refusal(400, "The response belongs to a session: send its id in the header Acp-Session-Id.", { id });
    }
    if (!isExpected) {
      throw new Refusal(400, "The header Acp-Session-Id names another session than the request.", { id });
    }
    this.#agentRequests.settle(id, sessions.includes(header) ? header : null);
  }
}

function readableId({ id }: JsonObject): RequestId {
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as RequestId) : null;
}

import type { RequestId } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { createdSessionOf, endsSession, kindOfMessage, opensSession, sessionIdOf } from "../../wire/message-kind.js";
import { metaMember, resumeMeta, withMeta, withoutMeta } from "../../wire/resume-meta.js";
import { AgentRequestTable } from "./agent-requests.js";
import { askingToResume, asksForCursors, offeringOnly, type ServerIdentity } from "./identity.js";
import { type PendingCall, PendingCalls, repeatable } from "./pending-calls.js";
import { SessionPositions } from "./session-positions.js";

/** The consequences of a received message: a message for the application, or a response for the server. */
export interface Arrived {
  readonly deliver?: JsonObject;
  readonly respond?: JsonObject;
}

/** What outlives connections: pending calls, open requests of the agent, and the position in each session. */
export class Conversation {
  readonly #initialize: JsonObject;
  readonly #client: string;
  /** The version of the protocol. */
  readonly version: unknown;
  readonly #calls = new PendingCalls();
  readonly #sessions = new SessionPositions();
  readonly #requests = new AgentRequestTable();
  /** The members of `_meta` that this class requests for itself. It removes them from messages to the application. */
  readonly #hidden: readonly string[];
  /** The requests and notifications that the application has sent without a connection, in order. */
  #unsent: JsonObject[] = [];
  /**
   * For each session, the cancellation of work without a pending prompt of this client: of a turn of another client, or
   * of a prompt that has its response, as in version 2. The end of the work confirms it. Until then, it is sent again
   * on each connection.
   */
  readonly #cancelling = new Map<string, JsonObject>();
  #server: string;

  /** Creates the state after a server that keeps sessions has responded to `initialize`. */
  constructor(initialize: JsonObject, { client, server, version }: ServerIdentity) {
    this.#initialize = initialize;
    this.#client = client;
    this.#server = server;
    this.version = version;
    this.#hidden = asksForCursors(initialize)
      ? [resumeMeta.request, resumeMeta.requests]
      : [resumeMeta.cursor, resumeMeta.request, resumeMeta.requests];
  }

  /** See {@link SessionPositions.moves}. */
  get moves(): number {
    return this.#sessions.moves;
  }

  /** Records a message of the application. Returns the message to send now; `undefined` if it waits or is dropped. */
  send(message: JsonObject, isConnected: boolean): JsonObject | undefined {
    const kind = kindOfMessage(message);
    if (kind === "response") return this.#requests.respond(message);
    if (kind === "request") {
      const call = this.#calls.add(message);
      if (isConnected) return this.#sent(call);
      this.#unsent.push(message);
      return undefined;
    }
    const positioned = this.#withPosition(message);
    const isRepeated = this.#cancels(positioned); // the cancellation of a pending call follows that call
    if (isConnected) return positioned;
    if (kind === "notification" && !isRepeated) this.#unsent.push(positioned);
    return undefined;
  }

  /** Records a message of the server. */
  receive(message: JsonObject): Arrived {
    const { method, params } = message;
    if (typeof method !== "string") return this.#response(message);
    const id = message.id as RequestId | undefined;
    const sessionId = sessionIdOf(message);
    if (method === "$/cancel_request" && isJsonObject(params)) {
      const requestId = this.#requests.cancelled(params.requestId as RequestId);
      return requestId === undefined ? {} : { deliver: { ...message, params: { ...params, requestId } } };
    }
    const isNew = sessionId === undefined || this.#sessions.received(sessionId, params, id !== undefined);
    if (sessionId !== undefined && endsWork(params)) this.#cancelling.delete(sessionId);
    const shown = { ...message, params: withoutMeta(params, this.#hidden) };
    if (id === undefined) return isNew ? { deliver: shown } : {};
    const arrived = this.#requests.arrived(id, sessionId, params);
    if (arrived.is === "show") return { deliver: { ...shown, id: arrived.id } };
    return arrived.is === "respond" ? { respond: arrived.response } : {};
  }

  /** Records the end of the connection. Returns messages that cancel the requests of the agent that ended with it. */
  lost(): JsonObject[] {
    this.#sessions.lost();
    return this.#requests.lost().map(cancellation);
  }

  // For another connection

  /**
   * Creates the request `initialize` for another connection. It offers only the version of the conversation, because
   * the server may have an agent of the other version now.
   */
  initializeAgain(id: RequestId): JsonObject {
    return { ...askingToResume(offeringOnly(this.version, this.#initialize), this.#client), id };
  }

  /** The sessions to resume before calls are repeated, without those that a pending call loads or resumes. */
  get sessionsToResume(): string[] {
    return this.#sessions.ids.filter((sessionId) => this.#calls.opening(sessionId) === undefined);
  }

  /** Creates the request that resumes a session. */
  resume(sessionId: string, id: RequestId): JsonObject {
    const params = this.#sessions.resumeParams(sessionId);
    return { jsonrpc: "2.0", id, method: "session/resume", params: this.#continued(sessionId, params) };
  }

  /** Records the response to {@link resume}. Returns messages for the application. */
  resumed(sessionId: string, response: JsonObject): JsonObject[] {
    if ("error" in response) {
      this.#remove(sessionId); // the session was deleted: the server responds to its pending calls with errors
      return this.#requests.settle(sessionId, []).map(cancellation);
    }
    return this.#stillOpen(sessionId, response.result);
  }

  /** Records the server process of the connection. Returns errors for calls that can't be repeated to another. */
  reached(server: string): JsonObject[] {
    const isAnother = server !== this.#server;
    this.#server = server;
    if (!isAnother) return [];
    const lost = this.#calls.all.filter(({ sentTo, method }) => sentTo !== undefined && !repeatable.test(method));
    return lost.map(({ id, method }) => {
      this.#calls.settle(id);
      const message = `The server that handled ${method} ended; the request was not sent again`;
      return { jsonrpc: "2.0", id, error: { code: -32_603, message, data: { reason: "turn_interrupted" } } };
    });
  }

  /**
   * Returns the messages to send on another connection: the cancellations that are not confirmed, the calls to repeat,
   * then what the application has sent without a connection, in order. Each call is followed by its cancellations, so
   * that they do not cancel a later prompt.
   */
  messagesToSend(): JsonObject[] {
    const messages: JsonObject[] = [...this.#cancelling.values()];
    const add = (call: PendingCall): void => void messages.push(this.#sent(call), ...call.cancellations);
    for (const call of this.#calls.all) if (call.sentTo !== undefined) add(call);
    for (const message of this.#unsent.splice(0)) {
      const call = message.id === undefined ? undefined : this.#calls.find(message.id as RequestId);
      if (message.id === undefined) messages.push(message);
      else if (call !== undefined) add(call);
    }
    return messages;
  }

  /**
   * Adds the position in the session to the cancellation of a turn. A transport may deliver the cancellation long after
   * the turn has ended, and it must not cancel a later turn of another client.
   */
  #withPosition(message: JsonObject): JsonObject {
    const { method, params } = message;
    const cursor = method === "session/cancel" ? this.#sessions.cursor(sessionIdOf(message) ?? "") : undefined;
    return cursor === undefined ? message : { ...message, params: withMeta(params, { [resumeMeta.cursor]: cursor }) };
  }

  #cancels(message: JsonObject): boolean {
    const sessionId = sessionIdOf(message);
    if (message.method === "session/cancel" && sessionId !== undefined) {
      if (this.#calls.cancelTurn(sessionId, message)) return true;
      if (this.#sessions.cursor(sessionId) === undefined) return false;
      this.#cancelling.set(sessionId, message);
      return true;
    }
    return message.method === "$/cancel_request" && this.#calls.cancel(message);
  }

  #sent(call: PendingCall): JsonObject {
    const { sessionId, method, params, message } = call;
    const isAgain = call.sentTo !== undefined;
    // Sent again later, the cancellation would cancel this prompt
    if (method === "session/prompt" && sessionId !== undefined) this.#cancelling.delete(sessionId);
    call.sentTo = this.#server;
    if (sessionId === undefined || !opensSession(method)) return message;
    if (!isAgain) this.#sessions.opening(sessionId, params);
    const cursor = this.#sessions.cursor(sessionId);
    return isAgain && cursor !== undefined ? { ...message, params: this.#continued(sessionId, params) } : message;
  }

  #continued(sessionId: string, params: unknown): JsonObject {
    const cursor = this.#sessions.cursor(sessionId);
    const prompts = this.#calls.prompts(sessionId).map(({ id, params }) => {
      const key = metaMember(params, resumeMeta.key);
      return key === undefined ? id : { key };
    });
    return withMeta(params, {
      ...(cursor !== undefined && { [resumeMeta.cursor]: cursor }),
      ...(prompts.length > 0 && { [resumeMeta.prompts]: prompts }),
    });
  }

  #response(message: JsonObject): Arrived {
    const { result } = message;
    const call = this.#calls.settle(message.id as RequestId);
    if (call === undefined) return { deliver: message };
    const { method, params } = call;
    const sessionId = call.sessionId ?? createdSessionOf(message);
    if (sessionId !== undefined) {
      const isError = "error" in message;
      if (opensSession(method) && isError) this.#sessions.refused(sessionId);
      else if (opensSession(method) || method === "session/new") this.#sessions.opened(sessionId, params, result);
      else if (endsSession(method) && !isError) this.#remove(sessionId);
      else this.#sessions.settled(sessionId, result);
    }
    return { deliver: "result" in message ? { ...message, result: withoutMeta(result, this.#hidden) } : message };
  }

  #remove(sessionId: string): void {
    this.#sessions.remove(sessionId);
    this.#cancelling.delete(sessionId);
  }

  #stillOpen(sessionId: string, result: unknown): JsonObject[] {
    const open = metaMember(result, resumeMeta.requests);
    return this.#requests.settle(sessionId, Array.isArray(open) ? open : []).map(cancellation);
  }
}

/**
 * Returns whether params of `session/update` report the end of a turn of another client or, in version 2, of any work.
 */
function endsWork(params: unknown): boolean {
  const update = isJsonObject(params) ? params.update : undefined;
  if (!isJsonObject(update)) return false;
  if (update.sessionUpdate === "state_update") return update.state === "idle";
  return update.sessionUpdate === "session_info_update" && metaMember(update, resumeMeta.turn) === "idle";
}

/** Returns the response to `initialize` for the application, without the ids of client and server. */
export function withoutIdentity(response: JsonObject): JsonObject {
  return { ...response, result: withoutMeta(response.result, [resumeMeta.client, resumeMeta.server]) };
}

function cancellation(requestId: number): JsonObject {
  return { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } };
}

import type { RequestId } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { opensSession, sessionIdOf } from "../../wire/message-kind.js";

/** A pending request of the application. */
export interface PendingCall {
  readonly id: RequestId;
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly params: unknown;
  readonly message: JsonObject;
  /** The id of the server process that may have received the request; `undefined` if the request was not sent. */
  sentTo: string | undefined;
  /** The notifications by which the application has cancelled the request. */
  cancellations: readonly JsonObject[];
}

/** The application's requests without a response, oldest first. They stay when a connection is lost. */
export class PendingCalls {
  readonly #calls = new Map<RequestId, PendingCall>();

  get all(): PendingCall[] {
    return [...this.#calls.values()];
  }

  add(message: JsonObject): PendingCall {
    const { id, method, params } = message;
    const sessionId = sessionIdOf(message);
    const call = { id: id as RequestId, method: String(method), sessionId, params, message };
    const pending: PendingCall = { ...call, sentTo: undefined, cancellations: [] };
    this.#calls.set(pending.id, pending);
    return pending;
  }

  find(id: RequestId): PendingCall | undefined {
    return this.#calls.get(id);
  }

  settle(id: RequestId): PendingCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  /** Records that the application cancels the turn of a session. Returns whether the session has pending prompts. */
  cancelTurn(sessionId: string, cancellation: JsonObject): boolean {
    const prompts = this.prompts(sessionId);
    for (const call of prompts) call.cancellations = [cancellation];
    return prompts.length > 0;
  }

  /** Records that the application cancels a request. Returns whether the request is pending. */
  cancel(cancellation: JsonObject): boolean {
    const { requestId } = isJsonObject(cancellation.params) ? cancellation.params : {};
    const call = this.#calls.get(requestId as RequestId);
    if (call !== undefined) call.cancellations = [...call.cancellations.slice(-1), cancellation];
    return call !== undefined;
  }

  /** The pending prompts of a session. */
  prompts(sessionId: string): PendingCall[] {
    return this.all.filter((call) => call.method === "session/prompt" && call.sessionId === sessionId);
  }

  /** The pending load or resume of a session. */
  opening(sessionId: string): PendingCall | undefined {
    return this.all.findLast((call) => call.sessionId === sessionId && opensSession(call.method));
  }
}

/**
 * The methods of requests that may be repeated to another server process, which doesn't know whether they were
 * executed. The server recognises a repeated prompt by its id. If `session/new` is executed twice, an additional
 * session without turns remains.
 */
export const repeatable: RegExp =
  /^(session\/(prompt|new|load|resume|list|close|delete|set_(mode|model|config_option))|(tool_call|terminal)\/cancel)$/;

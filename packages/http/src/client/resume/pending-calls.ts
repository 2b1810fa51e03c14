import type { RequestId } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject, sessionIdOf } from "../../wire/message-kind.js";

/** A request of the application without a response. */
export interface PendingCall {
  readonly id: RequestId;
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly params: unknown;
  readonly message: JsonObject;
  /** The process that may have received it. */
  sentTo: string | undefined;
  /** What the application has sent to cancel it. */
  cancellations: readonly JsonObject[];
}

/** The requests of the application that have no response yet, oldest first. They outlive connections. */
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

  /** The application cancels the turn of a session. */
  cancelTurn(sessionId: string, cancellation: JsonObject): void {
    for (const call of this.prompts(sessionId)) call.cancellations = [cancellation];
  }

  /** The application cancels a call. */
  cancel(cancellation: JsonObject): void {
    const { requestId } = isJsonObject(cancellation.params) ? cancellation.params : {};
    const call = this.#calls.get(requestId as RequestId);
    if (call !== undefined) call.cancellations = [...call.cancellations.slice(-1), cancellation];
  }

  /** The prompts of a session. */
  prompts(sessionId: string): PendingCall[] {
    return this.all.filter((call) => call.method === "session/prompt" && call.sessionId === sessionId);
  }

  /** The load or resume of a session that the application waits for. */
  opening(sessionId: string): PendingCall | undefined {
    return this.all.findLast((call) => call.sessionId === sessionId && opens(call.method));
  }
}

/** The method opens a session that exists. */
export function opens(method: string): boolean {
  return method === "session/load" || method === "session/resume";
}

const repeatable: ReadonlySet<string> = new Set([
  "session/prompt", // the server knows it by its id
  "session/new", // at worst, a session without turns is left
  "session/load",
  "session/resume",
  "session/list",
  "session/close",
  "session/delete",
  "session/set_mode",
  "session/set_model",
  "session/set_config_option",
]);

/** Whether a request may be sent to a process that can't know whether another one has executed it. */
export function isRepeatable(method: string): boolean {
  return repeatable.has(method);
}

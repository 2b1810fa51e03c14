import {
  Connection,
  isRpcError,
  JsonRpcErrorCode,
  linkedTransports,
  methodNotFound,
  type RequestId,
  RpcError,
  requestCancelled,
} from "@acp-kit/jsonrpc";
import {
  after,
  CANCEL_REQUEST,
  type Deferred,
  deferred,
  type ErrorObject,
  isJsonObject,
  type JsonObject,
  onAbort,
} from "@acp-kit/jsonrpc/internal";
import { sessionIdOf } from "../wire/message-kind.js";
import { eventOf } from "../wire/sse-writer.js";
import { DirectRuns } from "./direct-runs.js";
import type { EventStream } from "./event-stream.js";
import { initializeTimedOut } from "./refusal.js";
import type { ServedAgent, ServedAgentConnection, ServedAgentDefaults } from "./served-agent.js";

/** A member of a prompt's `_meta`. With `false`, the caller gets a run id at once, instead of the result later. */
export const WAIT_META = "acp-kit/wait";
/** The member of the result's `_meta` that contains the run id. */
export const RUN_META = "acp-kit/runId";
/** The method that returns the state of a run, as a {@link DirectRun}. Its params are `{ runId }`. */
export const RUN_METHOD = "_acp-kit/run";

/** The outcome of one request. */
export type DirectAnswer = { readonly result: unknown } | { readonly error: ErrorObject };

interface AgentRequest {
  readonly method: string;
  readonly params: unknown;
  readonly sessionId: string;
  readonly answer: Deferred<DirectAnswer>;
}

/** The limits of a {@link DirectPeer}. */
export interface DirectPeerLimits {
  readonly maxRuns: number;
  readonly initializeTimeoutMs: number;
}

/** One principal's connection to the agent, which outlives HTTP requests, so that they find the sessions. */
export class DirectPeer {
  readonly #connection: Connection;
  readonly #served: ServedAgentConnection;
  readonly #initialized: Promise<unknown>;
  readonly #runs: DirectRuns;
  /** The event streams that receive the updates of each session, by its id: responses to HTTP requests. */
  readonly #followers = new Map<string, Set<EventStream>>();
  readonly #agentRequests = new Map<RequestId, AgentRequest>();
  #nextId = 1;
  #open = 0;
  /** Whether the agent did not respond to `initialize` within the time limit. */
  #isLate = false;
  #lastUse: number = performance.now();

  constructor(agent: ServedAgent, defaults: ServedAgentDefaults, { maxRuns, initializeTimeoutMs }: DirectPeerLimits) {
    const [ours, theirs] = linkedTransports();
    this.#runs = new DirectRuns(maxRuns);
    this.#connection = new Connection(ours, {
      orderBy: (_, params) => sessionIdOf({ params }) ?? "",
      fallback: {
        request: (method) => ({ handler: (params, { signal }) => this.#forward(method, params, signal) }),
        notification: (method) => ({ handler: (params) => this.#publish(method, params) }),
      },
    });
    this.#connection.listen();
    this.#served = agent.connect(theirs, defaults);
    const stop = after(initializeTimeoutMs, () => {
      this.#isLate = true;
      void this.#connection.close();
      void this.#served.close({ drainTimeoutMs: 0 });
    });
    this.#initialized = this.#connection
      .request("initialize", { protocolVersion: 1, clientCapabilities: {} })
      .finally(stop);
    this.#initialized.catch(() => {}); // each request rejects with this error
  }

  get isOpen(): boolean {
    return this.#connection.state === "open";
  }

  /** The number of requests of callers that have no response yet. */
  get openRequests(): number {
    return this.#open;
  }

  /**
   * Resolves when the agent has responded to `initialize`, also with an error.
   *
   * @throws {Refusal} 504 when the agent does not respond in time. The connection has then ended.
   */
  async ready(): Promise<void> {
    await this.#initialized.catch(() => {});
    if (this.#isLate) throw initializeTimedOut();
  }

  /** Whether no request and no run is active, and the last request ended at least `ms` ago. */
  isIdle(ms: number): boolean {
    return this.#open === 0 && !this.#runs.isRunning && performance.now() - this.#lastUse >= ms;
  }

  /** Sends one request to the agent and returns its outcome. Never rejects. */
  async answer(message: JsonObject): Promise<DirectAnswer> {
    this.#open += 1;
    try {
      return { result: await this.#perform(message.method as string, message.params) };
    } catch (error) {
      return { error: errorObjectOf(error) };
    } finally {
      this.#open -= 1;
      this.#lastUse = performance.now();
    }
  }

  /** Forwards a notification to the agent. */
  async notify(message: JsonObject): Promise<void> {
    // The connection to the agent has its own ids: the agent would cancel another request
    if (message.method === CANCEL_REQUEST) return;
    await this.#initialized;
    await this.#connection.notify(message.method as string, message.params);
  }

  /** Settles a request of the agent with the caller's response. */
  settle(message: JsonObject): void {
    const id = message.id as RequestId;
    const { result, error } = message;
    this.#agentRequests
      .get(id)
      ?.answer.resolve(isJsonObject(error) ? { error: error as unknown as ErrorObject } : { result });
  }

  /**
   * Copies the updates and requests of a session into a stream. The returned function stops that. If no other stream
   * follows the session, it also settles the open requests of the agent in this session.
   */
  follow(sessionId: string, stream: EventStream): () => void {
    const followers = this.#followers.get(sessionId) ?? new Set();
    this.#followers.set(sessionId, followers.add(stream));
    return () => {
      followers.delete(stream);
      if (followers.size > 0 || this.#followers.get(sessionId) !== followers) return;
      this.#followers.delete(sessionId);
      for (const request of this.#agentRequests.values()) {
        if (request.sessionId === sessionId) request.answer.resolve(unreachable(request.method, request.params));
      }
    };
  }

  async close(drainTimeoutMs: number): Promise<void> {
    await this.#served.close({ drainTimeoutMs });
    await this.#connection.close();
  }

  async #perform(method: string, params: unknown): Promise<unknown> {
    const initialized = await this.#initialized;
    if (method === "initialize") return initialized;
    if (method === RUN_METHOD) return this.#runOf(params);
    if (method !== "session/prompt" || !isDetached(params)) return this.#connection.request(method, params);
    const runId = this.#runs.start(async () => {
      try {
        return { status: "completed", result: await this.#connection.request(method, params) };
      } catch (error) {
        return { status: "failed", error: errorObjectOf(error) };
      }
    });
    return { _meta: { [RUN_META]: runId } };
  }

  #runOf(params: unknown): unknown {
    const runId = isJsonObject(params) ? params.runId : undefined;
    const run = typeof runId === "string" ? this.#runs.find(runId) : undefined;
    if (run === undefined)
      throw new RpcError(
        -32_002,
        "The run id is unknown: the run was never started, or its result is no longer stored.",
      );
    return run;
  }

  async #forward(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#ask(method, params, signal);
    if ("error" in answer) throw new RpcError(answer.error.code, answer.error.message, { data: answer.error.data });
    return answer.result;
  }

  async #ask(method: string, params: unknown, signal: AbortSignal): Promise<DirectAnswer> {
    const sessionId = sessionIdOf({ params }) ?? "";
    const followers = this.#followers.get(sessionId);
    if (followers === undefined) return unreachable(method, params);
    if (signal.aborted) throw requestCancelled();
    const id = `agent-${this.#nextId}`;
    this.#nextId += 1;
    const answer = deferred<DirectAnswer>();
    this.#agentRequests.set(id, { method, params, sessionId, answer });
    const stopListening = onAbort(signal, () => answer.reject(requestCancelled()));
    for (const stream of followers) stream.push(eventOf(JSON.stringify({ jsonrpc: "2.0", id, method, params })));
    return answer.promise.finally(() => {
      stopListening();
      this.#agentRequests.delete(id);
    });
  }

  #publish(method: string, params: unknown): void {
    const followers = this.#followers.get(sessionIdOf({ params }) ?? "");
    if (followers === undefined) return;
    const event = eventOf(JSON.stringify({ jsonrpc: "2.0", method, params }));
    for (const stream of followers) stream.push(event);
  }
}

/** The outcome of a request of the agent in a session that no caller follows: it can't reach the user. */
function unreachable(method: string, params: unknown): DirectAnswer {
  if (method === "session/request_permission") return { result: { outcome: rejection(params) } };
  return { error: errorObjectOf(methodNotFound(method)) };
}

/** Rejects a permission request, or cancels it, which ends the turn, if the agent offers no rejection. */
function rejection(params: unknown): object {
  const options = isJsonObject(params) && Array.isArray(params.options) ? params.options.filter(isJsonObject) : [];
  const option =
    options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always");
  return typeof option?.optionId === "string"
    ? { outcome: "selected", optionId: option.optionId }
    : { outcome: "cancelled" };
}

/** Whether the caller of a prompt wants a run id immediately. */
function isDetached(params: unknown): boolean {
  return isJsonObject(params) && isJsonObject(params._meta) && params._meta[WAIT_META] === false;
}

function errorObjectOf(error: unknown): ErrorObject {
  if (!isRpcError(error))
    return { code: JsonRpcErrorCode.internalError, message: "The agent ended before it responded." };
  const { code, message, data } = error;
  return { code, message, ...(data !== undefined && { data }) };
}

import {
  Connection,
  type Deferred,
  deferred,
  type ErrorObject,
  isRpcError,
  JsonRpcErrorCode,
  linkedTransports,
  methodNotFound,
  onAbort,
  type RequestId,
  RpcError,
  requestCancelled,
} from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject, sessionIdOf } from "../wire/message-kind.js";
import { eventOf } from "../wire/sse-writer.js";
import { DirectRuns } from "./direct-runs.js";
import type { EventStream } from "./event-stream.js";
import type { ServedAgent, ServedAgentConnection, ServedAgentDefaults } from "./served-agent.js";

/** The member of a prompt's `_meta` that says `false` to get an id in place of the result. */
export const WAIT_META = "acp-kit/wait";
/** The member of the result's `_meta` with that id. */
export const RUN_META = "acp-kit/runId";
/** The method that asks for the outcome: `{ runId }` → {@link DirectRun}. */
export const RUN_METHOD = "_acp-kit/run";

/** The answer to one request. */
export type DirectAnswer = { readonly result: unknown } | { readonly error: ErrorObject };

/** The conversation of one principal with the agent: it lasts longer than the requests that it is made of, so that sessions are found again. */
export class DirectPeer {
  readonly #connection: Connection;
  readonly #served: ServedAgentConnection;
  readonly #initialized: Promise<unknown>;
  readonly #runs: DirectRuns;
  /** The streams that follow a session: those of requests that wait for it. */
  readonly #followers = new Map<string, Set<EventStream>>();
  readonly #agentRequests = new Map<RequestId, Deferred<DirectAnswer>>();
  #nextId = 1;
  #open = 0;
  #lastUse: number = performance.now();

  constructor(agent: ServedAgent, defaults: ServedAgentDefaults, maxRuns: number) {
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
    this.#initialized = this.#connection.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    this.#initialized.catch(() => {}); // each request rejects with it
  }

  get isOpen(): boolean {
    return this.#connection.state === "open";
  }

  /** Nothing runs, and no request has come for `ms`. */
  isIdle(ms: number): boolean {
    return this.#open === 0 && !this.#runs.isRunning && performance.now() - this.#lastUse >= ms;
  }

  /** Answers one request. Never rejects. */
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

  /** Passes a notification on. */
  async notify(message: JsonObject): Promise<void> {
    await this.#initialized;
    await this.#connection.notify(message.method as string, message.params);
  }

  /** Settles a request of the agent that was sent in a stream. */
  settle(message: JsonObject): void {
    const id = message.id as RequestId;
    const { result, error } = message;
    this.#agentRequests.get(id)?.resolve(isJsonObject(error) ? { error: error as unknown as ErrorObject } : { result });
  }

  /** Sends the updates and requests of a session into a stream, until the returned function is called. */
  follow(sessionId: string, stream: EventStream): () => void {
    const followers = this.#followers.get(sessionId) ?? new Set();
    this.#followers.set(sessionId, followers.add(stream));
    return () => {
      followers.delete(stream);
      if (followers.size === 0) this.#followers.delete(sessionId);
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
    if (run === undefined) throw new RpcError(-32_002, "There is no such run: it was never started, or is forgotten.");
    return run;
  }

  async #forward(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const followers = this.#followers.get(sessionIdOf({ params }) ?? "");
    if (followers === undefined) {
      // A response that has not begun can't carry a request to the client.
      if (method === "session/request_permission") return { outcome: { outcome: "cancelled" } };
      throw methodNotFound(method);
    }
    if (signal.aborted) throw requestCancelled();
    const id = `agent-${this.#nextId}`;
    this.#nextId += 1;
    const settled = deferred<DirectAnswer>();
    this.#agentRequests.set(id, settled);
    const stopListening = onAbort(signal, () => settled.reject(requestCancelled()));
    for (const stream of followers) stream.push(eventOf(JSON.stringify({ jsonrpc: "2.0", id, method, params })));
    const answer = await settled.promise.finally(() => {
      stopListening();
      this.#agentRequests.delete(id);
    });
    if ("error" in answer) throw new RpcError(answer.error.code, answer.error.message, { data: answer.error.data });
    return answer.result;
  }

  #publish(method: string, params: unknown): void {
    const followers = this.#followers.get(sessionIdOf({ params }) ?? "");
    if (followers === undefined) return;
    const event = eventOf(JSON.stringify({ jsonrpc: "2.0", method, params }));
    for (const stream of followers) stream.push(event);
  }
}

/** The prompt asks not to wait. */
function isDetached(params: unknown): boolean {
  return isJsonObject(params) && isJsonObject(params._meta) && params._meta[WAIT_META] === false;
}

function errorObjectOf(error: unknown): ErrorObject {
  if (!isRpcError(error))
    return { code: JsonRpcErrorCode.internalError, message: "The agent ended before it responded." };
  const { code, message, data } = error;
  return { code, message, ...(data !== undefined && { data }) };
}

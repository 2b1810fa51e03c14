import {
  checkOptions,
  every,
  Holding,
  isJsonObject,
  type JsonObject,
  limitsAmong,
  type OptionKinds,
} from "@acp-kit/jsonrpc/internal";
import { kindOfMessage } from "../wire/message-kind.js";
import { Access } from "./access.js";
import { answerExchange } from "./answer-exchange.js";
import { chooseAgent } from "./choose-agent.js";
import { newConnectionId } from "./connections.js";
import { DirectPeer } from "./direct-peer.js";
import { DirectStream, respond } from "./direct-stream.js";
import { withQuietErrors } from "./error-listener.js";
import { acceptsEvents, eventReply } from "./event-reply.js";
import type { HttpExchange, HttpReply } from "./exchange.js";
import { respondTo } from "./fetch-exchange.js";
import { type AcpHandlerOptions, type AllServerLimits, acpHandlerKinds, serverLimitsOf } from "./handler-options.js";
import { type Principal, principalKey } from "./principal.js";
import { readJson } from "./read-message.js";
import { Refusal } from "./refusal.js";
import type { AgentChoice } from "./served-agent.js";
import { ServerMemory } from "./server-memory.js";

/** Options of {@link createDirectHandler}. */
export interface DirectHandlerOptions<P extends Principal = Principal> extends AcpHandlerOptions<P> {
  /** The milliseconds without requests after which a principal's conversation ends. The default is 30 minutes. */
  readonly idleTimeoutMs?: number;
}

/** Serves an agent without long connections: in the bodies of responses. {@link createDirectHandler} creates it. */
export interface DirectHandler {
  /** Handles one request. The function is bound. The returned promise never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends all conversations. A second call has no effect, and the returned promise never rejects. */
  close(): Promise<void>;
}

const directDefaults = { idleTimeoutMs: 1_800_000 };

/** The maximum number of messages in one array. */
const MAX_BATCH = 100;

/**
 * The maximum number of runs (prompts whose caller does not wait) of one principal. Finished runs whose outcomes are
 * stored count too.
 */
const MAX_RUNS = 1_000;

const SWEEP_MS = 10_000;

/**
 * Serves an agent without long connections: a POST contains one JSON-RPC message or an array of them, and the body of
 * its response contains the responses. This way of serving is not part of the specification. It is for callers that can
 * neither keep a connection open nor read a stream.
 *
 * The sessions of a principal outlive its requests. With `Accept: text/event-stream`, the body also contains the
 * updates of the session and the agent's requests. The caller POSTs its responses to these requests. Otherwise, and
 * when the caller disconnects, permission requests of the agent are cancelled.
 *
 * The handler ignores `$/cancel_request`, because callers may use the same ids. `session/cancel` cancels a prompt.
 *
 * A prompt with `_meta: { "acp-kit/wait": false }` returns immediately with `_meta: { "acp-kit/runId": id }`; the
 * method `_acp-kit/run` with `{ runId: id }` returns its status and result.
 *
 * @throws {TypeError} the same errors as `createAcpHandler`.
 */
export function createDirectHandler<P extends Principal = Principal>(
  agent: AgentChoice<P>,
  options: DirectHandlerOptions<P> = {},
): DirectHandler {
  checkOptions("createDirectHandler", options, optionKinds);
  const server = new DirectServer(agent, options);
  return {
    fetch: (request) => respondTo(request, (exchange) => server.handle(exchange)),
    close: () => server.close(),
  };
}

const optionKinds: OptionKinds<DirectHandlerOptions> = {
  ...acpHandlerKinds,
  idleTimeoutMs: "value",
};

/** The part of the direct handler that does not depend on the platform. */
export class DirectServer<P extends Principal> {
  readonly #agent: AgentChoice<P>;
  readonly #options: DirectHandlerOptions<P>;
  readonly #access: Access<P>;
  readonly #limits: AllServerLimits;
  readonly #directLimits: typeof directDefaults;
  readonly #memory: ServerMemory;
  readonly #peers = new Map<string, Promise<DirectPeer>>();
  #stopSweeping: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(agent: AgentChoice<P>, given: DirectHandlerOptions<P>) {
    const options = withQuietErrors(given);
    this.#agent = agent;
    this.#options = options;
    this.#access = new Access(options);
    this.#limits = serverLimitsOf(options.limits);
    this.#memory = new ServerMemory(this.#limits.maxQueuedBytes);
    this.#directLimits = limitsAmong("options", directDefaults, options);
  }

  /** Handles one request. Never rejects. */
  handle(exchange: HttpExchange): Promise<HttpReply> {
    const options = { access: this.#access, methods: ["POST"], onError: this.#options.onError };
    return answerExchange(exchange, options, (principal) => this.#post(exchange, principal));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stopSweeping?.();
    const peers = [...this.#peers.values()];
    this.#peers.clear();
    await Promise.all(
      peers.map((peer) => peer.then((open) => open.close(this.#limits.drainTimeoutMs)).catch(() => {})),
    );
  }

  async #post(exchange: HttpExchange, principal: P): Promise<HttpReply> {
    const memory = this.#memory.enter(principal);
    const holding = new Holding(memory.received);
    try {
      const { value } = await readJson(exchange, this.#limits, holding);
      return await this.#handle(exchange, principal, value);
    } finally {
      holding.release();
      memory.leave();
    }
  }

  async #handle(exchange: HttpExchange, principal: P, value: unknown): Promise<HttpReply> {
    const messages = this.#messagesOf(value);
    const peer = await this.#peerOf(principal, exchange);
    await peer.ready();
    const requests = messages.filter((message) => isRequest(message));
    const { maxOpenRequests } = this.#limits;
    if (requests.length > 0 && peer.openRequests + requests.length > maxOpenRequests) {
      const message = `More than ${maxOpenRequests} requests have no response yet.`;
      throw new Refusal(429, message, { limit: "maxOpenRequests" });
    }
    const hasStream = requests.length > 0 && acceptsEvents(exchange);
    // Follows the sessions before the agent receives the messages
    const stream = hasStream ? new DirectStream(peer, requests, this.#limits) : undefined;
    const notified: Promise<void>[] = [];
    const answering: Promise<string>[] = [];
    for (const message of messages) {
      const kind = kindOfMessage(message);
      if (kind === "response") peer.settle(message);
      else if (kind === "notification") notified.push(peer.notify(message));
      else answering.push(respond(peer, message));
    }
    const delivered = Promise.all(notified);
    if (requests.length === 0) {
      await delivered;
      return { status: 202, headers: {}, body: undefined };
    }
    delivered.catch(() => {}); // the connection has ended, so the requests fail, too
    if (stream !== undefined) {
      void stream.respond(answering);
      return eventReply(stream.reader);
    }
    const answers = await Promise.all(answering);
    const body = Array.isArray(value) ? `[${answers.join(",")}]` : (answers[0] ?? "");
    return { status: 200, headers: { "content-type": "application/json" }, body };
  }

  #messagesOf(value: unknown): JsonObject[] {
    const messages = Array.isArray(value) ? value : [value];
    if (messages.length === 0) throw new Refusal(400, "The array is empty.");
    if (messages.length > MAX_BATCH) throw new Refusal(413, `The array has more than ${MAX_BATCH} messages.`);
    if (!messages.every(isJsonObject))
      throw new Refusal(400, "The body is neither a JSON object nor an array of JSON objects.");
    return messages;
  }

  async #peerOf(principal: P, exchange: HttpExchange): Promise<DirectPeer> {
    const key = principalKey(principal);
    const known = this.#peers.get(key);
    if (known !== undefined && (await known).isOpen) return known;
    const other = this.#peers.get(key);
    if (other !== undefined && other !== known) return other; // a concurrent request has opened a peer
    this.#peers.delete(key); // the principal's conversation has ended, so that it does not count towards the limit
    const headers = { "retry-after": "5" };
    if (this.#closing !== undefined) throw new Refusal(503, "The server is shutting down.", { headers });
    const { maxConnections } = this.#limits;
    if (this.#peers.size >= maxConnections) {
      throw new Refusal(503, `The server has reached its limit of ${maxConnections} conversations (maxConnections).`, {
        limit: "maxConnections",
        headers,
      });
    }
    const opening = this.#openPeer(principal, exchange);
    this.#peers.set(key, opening);
    opening.catch(() => this.#peers.delete(key));
    this.#stopSweeping ??= every(SWEEP_MS, () => void this.#sweep());
    return opening;
  }

  async #openPeer(principal: P, exchange: HttpExchange): Promise<DirectPeer> {
    const { onDiagnostic, onError } = this.#options;
    const caller = { connectionId: newConnectionId(), principal, exchange };
    const agent = await chooseAgent(this.#agent, caller, onError);
    const { initializeTimeoutMs } = this.#limits;
    return new DirectPeer(agent, onDiagnostic === undefined ? {} : { onDiagnostic }, {
      maxRuns: MAX_RUNS,
      initializeTimeoutMs,
    });
  }

  async #sweep(): Promise<void> {
    const { idleTimeoutMs } = this.#directLimits;
    for (const [key, opening] of this.#peers) {
      const peer = await opening.catch(() => undefined);
      if (peer?.isOpen && !peer.isIdle(idleTimeoutMs)) continue;
      // A concurrent request may have opened another peer
      if (this.#peers.get(key) === opening) this.#peers.delete(key);
      await peer?.close(this.#limits.drainTimeoutMs);
    }
  }
}

/** Whether a message gets a response. An invalid message gets an error. */
function isRequest(message: JsonObject): boolean {
  const kind = kindOfMessage(message);
  return kind === "request" || kind === "invalid";
}

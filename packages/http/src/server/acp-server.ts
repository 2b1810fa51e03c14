import { Holding } from "@acp-kit/jsonrpc/internal";
import { headerNames, MAX_ID_CHARACTERS, RESPONSES_IN_SESSION, standardHeaders } from "../wire/header-names.js";
import { kindOfMessage } from "../wire/message-kind.js";
import { readSessionHeader } from "../wire/session-header.js";
import type { WebSocketTransportOptions } from "../wire/web-socket-transport.js";
import { Access } from "./access.js";
import { answerExchange } from "./answer-exchange.js";
import { type AgentCaller, chooseAgent } from "./choose-agent.js";
import { Connections, newConnectionId } from "./connections.js";
import { withQuietErrors } from "./error-listener.js";
import { acceptsEvents, eventReply } from "./event-reply.js";
import type { HttpExchange, HttpReply } from "./exchange.js";
import {
  type AcpHandlerOptions,
  type AllServerLimits,
  type FixedServerLimits,
  serverLimitsOf,
} from "./handler-options.js";
import { HttpConnection } from "./http-connection.js";
import type { Principal } from "./principal.js";
import { type PostedMessage, readMessage } from "./read-message.js";
import { Refusal } from "./refusal.js";
import type { AgentChoice, ServedAgent, ServedAgentDefaults } from "./served-agent.js";
import { ServedHttpConnection } from "./served-http-connection.js";
import { type Memory, ServerMemory } from "./server-memory.js";

/** The time in milliseconds that the closing handshake of a WebSocket may take. */
const CLOSE_TIMEOUT_MS = 2_000;

/** The server side of streamable HTTP and WebSocket, independent of the platform. */
export class AcpServer<P extends Principal = Principal> {
  readonly limits: AllServerLimits;
  /** All WebSockets share this object, because a copy would need half a kilobyte of memory for each of them. */
  readonly webSocketLimits: WebSocketTransportOptions["limits"];
  readonly access: Access<P>;
  readonly connections: Connections;
  readonly memory: ServerMemory;
  readonly #agent: AgentChoice<P>;
  readonly #options: AcpHandlerOptions<P>;

  constructor(agent: AgentChoice<P>, given: AcpHandlerOptions<P>, fixed?: Partial<FixedServerLimits>) {
    const options = withQuietErrors(given);
    this.#agent = agent;
    this.#options = options;
    this.limits = serverLimitsOf(options.limits, fixed);
    // Its time for `initialize` is that of the gate, and its sockets refuse a message that is too large.
    const { initializeTimeoutMs: _, ...limits } = this.limits;
    this.webSocketLimits = { ...limits, closeTimeoutMs: CLOSE_TIMEOUT_MS };
    this.access = new Access(options);
    this.connections = new Connections(this.limits);
    this.memory = new ServerMemory(this.limits.maxQueuedBytes);
  }

  /** Handles one request of the streamable HTTP profile. Never rejects. */
  handle(exchange: HttpExchange): Promise<HttpReply> {
    const { onError } = this.#options;
    const options = { access: this.access, methods: ["POST", "GET", "DELETE"], onError };
    return answerExchange(exchange, options, async (principal) => {
      if (exchange.method === "POST") return this.#post(exchange, principal);
      return exchange.method === "GET" ? this.#get(exchange, principal) : this.#delete(exchange, principal);
    });
  }

  /**
   * Returns the function that chooses the agent of one connection. If the application throws a refusal, the function
   * rejects with this refusal. For any other error, the function rejects with a refusal 500. The function is created in
   * this method, so that the objects of the connection do not keep the request in memory.
   */
  agentChooser(caller: AgentCaller<P>): () => Promise<ServedAgent> {
    return () => chooseAgent(this.#agent, caller, this.#options.onError);
  }

  /** Receives the errors that an agent or a function of the application has thrown. */
  get onError(): ((error: unknown) => void) | undefined {
    return this.#options.onError;
  }

  /** The settings for the connections of an agent that does not define these settings itself. */
  get agentDefaults(): ServedAgentDefaults {
    const { onDiagnostic } = this.#options;
    return onDiagnostic === undefined ? {} : { onDiagnostic };
  }

  async #post(exchange: HttpExchange, principal: P): Promise<HttpReply> {
    const connectionId = idHeader(exchange, headerNames.connection);
    const memory = this.memory.enter(principal);
    try {
      if (connectionId === null) return await this.#postFirst(exchange, principal, memory);
      return await this.#postTo(this.#find(connectionId, principal), exchange);
    } finally {
      memory.leave();
    }
  }

  async #postFirst(exchange: HttpExchange, principal: P, { received }: Memory): Promise<HttpReply> {
    const holding = new Holding(received);
    try {
      return await this.#initialize(exchange, principal, await readMessage(exchange, this.limits, holding));
    } finally {
      holding.release();
    }
  }

  async #postTo(connection: HttpConnection, exchange: HttpExchange): Promise<HttpReply> {
    const key = keyOf(exchange);
    const known = key === null ? undefined : connection.keyedPosts.outcome(key);
    if (known !== undefined) {
      await known;
      return accepted;
    }
    const sessionId = sessionOf(exchange);
    const holding = new Holding(connection.received);
    try {
      const posted = await readMessage(exchange, this.limits, holding);
      const receive = async (): Promise<void> => connection.receive(posted, sessionId);
      await (key === null ? receive() : connection.keyedPosts.once(key, receive));
      return accepted;
    } finally {
      holding.release();
    }
  }

  async #initialize(exchange: HttpExchange, principal: P, posted: PostedMessage): Promise<HttpReply> {
    const { message } = posted;
    if (kindOfMessage(message) !== "request" || message.method !== "initialize") {
      throw new Refusal(
        400,
        "The header Acp-Connection-Id is missing. Every request except `initialize` must have it.",
      );
    }
    const id = newConnectionId();
    const memory = this.memory.enter(principal);
    const http = new HttpConnection({
      id,
      memory: memory.ofConnection(),
      opensSessionsFirst: exchange.header(standardHeaders.prefer)?.includes(RESPONSES_IN_SESSION) ?? false,
      loadsInSession: this.#options.loadResponseStream === "session",
      limits: this.limits,
      onEnd: () => this.connections.remove(id),
    });
    const connection = new ServedHttpConnection({
      http,
      limits: this.limits,
      agentDefaults: this.agentDefaults,
    });
    void http.ended.then(() => memory.leave());
    try {
      this.connections.add(id, principal, connection);
    } catch (error) {
      http.fail(error);
      throw error;
    }
    const stopWatching = exchange.onGone(() =>
      http.fail(new Error("The client disconnected before the agent responded to initialize.")),
    );
    const body = await connection
      .initialize(posted, this.agentChooser({ connectionId: id, principal, exchange }))
      .finally(stopWatching);
    const headers = { "content-type": "application/json" };
    if (!http.isOpen) {
      connection.discard(); // the agent rejected `initialize`: the client may send it again
      this.connections.remove(id);
      return { status: 200, headers, body };
    }
    const key = keyOf(exchange);
    return {
      status: 200,
      headers: {
        ...headers,
        [headerNames.connection]: id,
        ...(key !== null && { [standardHeaders.idempotencyKey]: key }),
      },
      body,
    };
  }

  async #get(exchange: HttpExchange, principal: P): Promise<HttpReply> {
    if (exchange.header("upgrade")?.toLowerCase() === "websocket") {
      throw new Refusal(426, "WebSocket upgrades are not handled at this address.", {
        headers: { upgrade: "websocket" },
      });
    }
    if (!acceptsEvents(exchange)) {
      throw new Refusal(406, "The request must accept text/event-stream.");
    }
    const connection = this.#find(requiredConnection(exchange), principal);
    const sessionId = sessionOf(exchange);
    const { reader } = connection.open(sessionId, exchange.header(standardHeaders.lastEventId) ?? undefined);
    return eventReply(reader);
  }

  async #delete(exchange: HttpExchange, principal: P): Promise<HttpReply> {
    this.#find(requiredConnection(exchange), principal).end();
    return accepted;
  }

  #find(id: string, principal: P): HttpConnection {
    const connection = this.connections.find(id, principal);
    if (connection !== undefined) return connection;
    throw new Refusal(
      404,
      "There is no such connection: it has ended, or never existed. Send initialize to open a new one.",
    );
  }
}

const accepted: HttpReply = { status: 202, headers: {}, body: undefined };

function requiredConnection(exchange: HttpExchange): string {
  const id = idHeader(exchange, headerNames.connection);
  if (id === null) throw new Refusal(400, "The header Acp-Connection-Id is missing.");
  return id;
}

function sessionOf(exchange: HttpExchange): string | null {
  const value = idHeader(exchange, headerNames.session);
  try {
    return value === null ? null : readSessionHeader(value);
  } catch {
    throw new Refusal(400, `The header ${headerNames.session} is not an encoded id, although it begins with UTF-8''.`);
  }
}

function idHeader(exchange: HttpExchange, name: string): string | null {
  const id = exchange.header(name);
  if (id !== null && (id === "" || id.length > MAX_ID_CHARACTERS)) {
    throw new Refusal(400, `The header ${name} is empty or longer than ${MAX_ID_CHARACTERS} characters.`);
  }
  return id;
}

function keyOf(exchange: HttpExchange): string | null {
  return idHeader(exchange, standardHeaders.idempotencyKey);
}

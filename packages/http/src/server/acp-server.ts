import { allFeatures, headerNames, MAX_ID_CHARACTERS } from "../wire/header-names.js";
import { kindOfMessage } from "../wire/message-kind.js";
import { after } from "../wire/timer.js";
import { Access } from "./access.js";
import { Connections, newConnectionId } from "./connections.js";
import type { HttpExchange, HttpReply } from "./exchange.js";
import { type AcpHandlerOptions, limitsOf, type ServerLimits } from "./handler-options.js";
import { HttpConnection } from "./http-connection.js";
import type { Principal } from "./principal.js";
import { type PostedMessage, readMessage } from "./read-message.js";
import { Refusal, replyToError } from "./refusal.js";
import type { AgentChoice, ServedAgent, ServedAgentConnection } from "./served-agent.js";

/** The server side of both profiles, independent of the platform that brings the requests. */
export class AcpServer<P extends Principal = Principal> {
  readonly limits: Required<ServerLimits>;
  readonly access: Access<P>;
  readonly connections: Connections;
  readonly #agent: AgentChoice<P>;
  readonly #options: AcpHandlerOptions<P>;

  constructor(agent: AgentChoice<P>, options: AcpHandlerOptions<P>) {
    this.#agent = agent;
    this.#options = options;
    this.limits = limitsOf(options.limits);
    this.access = new Access(options);
    this.connections = new Connections(this.limits);
  }

  /** Handles one request of the streamable HTTP profile. Never rejects. */
  async handle(exchange: HttpExchange): Promise<HttpReply> {
    let reply: HttpReply;
    try {
      this.access.checkSource(exchange);
      if (exchange.method === "OPTIONS") {
        return { status: 204, headers: this.access.preflightHeaders(exchange), body: undefined };
      }
      reply = await this.#dispatch(exchange);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#options.onError?.(error);
      reply = replyToError(error);
    }
    const cors = this.access.corsHeaders(exchange);
    return { ...reply, headers: { ...reply.headers, ...cors } };
  }

  /**
   * The agent of a new connection.
   *
   * @throws {Refusal} the refusal that the choice throws; 500 when it throws anything else.
   */
  async agentFor(principal: P, connectionId: string, exchange: HttpExchange): Promise<ServedAgent> {
    if (typeof this.#agent !== "function") return this.#agent;
    try {
      return await this.#agent({ connectionId, principal, request: exchange.toRequest() });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.#options.onError?.(error);
      throw new Refusal(500, "The server failed to provide the agent.", { code: -32_603 });
    }
  }

  /** What a connection is given where its agent has no settings of its own. */
  get agentDefaults(): { onDiagnostic?: NonNullable<AcpHandlerOptions["onDiagnostic"]> } {
    const { onDiagnostic } = this.#options;
    return onDiagnostic === undefined ? {} : { onDiagnostic };
  }

  async #dispatch(exchange: HttpExchange): Promise<HttpReply> {
    switch (exchange.method) {
      case "POST":
        return this.#post(exchange, await this.#principal(exchange));
      case "GET":
        return this.#get(exchange, await this.#principal(exchange));
      case "DELETE":
        return this.#delete(exchange, await this.#principal(exchange));
      default:
        throw new Refusal(405, `${exchange.method} is not supported: use POST, GET or DELETE.`, {
          headers: { allow: "POST, GET, DELETE, OPTIONS" },
        });
    }
  }

  #principal(exchange: HttpExchange): Promise<P> {
    return this.access.authenticate(exchange);
  }

  async #post(exchange: HttpExchange, principal: P): Promise<HttpReply> {
    const connectionId = idHeader(exchange, headerNames.connection);
    if (connectionId === null) return this.#initialize(exchange, principal, await readMessage(exchange, this.limits));
    const connection = this.#find(connectionId, principal);
    const number = numberHeader(exchange, headerNames.sequence);
    const sessionId = idHeader(exchange, headerNames.session);
    if (number === undefined) {
      const posted = await readMessage(exchange, this.limits);
      await connection.receive(posted, sessionId);
      return accepted;
    }
    let posted: PostedMessage | Refusal;
    try {
      posted = await readMessage(exchange, this.limits);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.isIncomplete) throw error; // the client sends this number again
      posted = error; // what was sent is wrong: its number is used up
    }
    if ((await connection.order.enter(number)) === "done") return accepted;
    try {
      if (posted instanceof Refusal) throw posted;
      await connection.receive(posted, sessionId);
    } catch (error) {
      if (error instanceof Refusal && error.status === 429)
        connection.order.giveBack(); // the client sends it again
      else connection.order.leave();
      throw error;
    }
    connection.order.leave();
    return accepted;
  }

  async #initialize(exchange: HttpExchange, principal: P, posted: PostedMessage): Promise<HttpReply> {
    const { message } = posted;
    if (kindOfMessage(message) !== "request" || message.method !== "initialize") {
      throw new Refusal(400, "The header Acp-Connection-Id is missing: only the request `initialize` goes without it.");
    }
    this.connections.checkRoom(principal);
    const id = newConnectionId();
    const connection = new HttpConnection({
      id,
      clientFeatures: exchange.header(headerNames.features),
      limits: this.limits,
      onEnd: () => this.connections.remove(id),
    });
    const served = await this.#connect(connection, principal, exchange);
    this.connections.add(id, principal, {
      http: connection,
      sweep: () => connection.sweep(),
      close: () => served.close({ drainTimeoutMs: this.limits.drainTimeoutMs }),
    });
    if (connection.hasEnded) this.connections.remove(id); // while it was being connected
    const { initializeTimeoutMs } = this.limits;
    const stop = after(initializeTimeoutMs, () =>
      connection.fail(
        new Error(`The agent did not respond to initialize within ${initializeTimeoutMs} ms (initializeTimeoutMs).`),
      ),
    );
    const started = performance.now();
    const text = await connection.initialize(posted);
    stop();
    if (text === undefined) {
      const isLate = performance.now() - started >= initializeTimeoutMs;
      throw new Refusal(
        isLate ? 504 : 502,
        isLate
          ? "The agent did not respond to initialize in time."
          : "The agent ended before it responded to initialize.",
        {
          code: -32_603,
          ...(isLate && { limit: "initializeTimeoutMs" }),
        },
      );
    }
    const headers = { "content-type": "application/json" };
    if (!connection.isOpen) {
      void served.close({ drainTimeoutMs: 0 }); // refused: the client may begin again
      this.connections.remove(id);
      return { status: 200, headers, body: text };
    }
    return {
      status: 200,
      headers: { ...headers, [headerNames.connection]: id, [headerNames.features]: allFeatures },
      body: text,
    };
  }

  async #connect(connection: HttpConnection, principal: P, exchange: HttpExchange): Promise<ServedAgentConnection> {
    const agent = await this.agentFor(principal, connection.id, exchange);
    return agent.connect(connection, this.agentDefaults);
  }

  async #get(exchange: HttpExchange, principal: P): Promise<HttpReply> {
    if (exchange.header("upgrade")?.toLowerCase() === "websocket") {
      throw new Refusal(426, "WebSocket upgrades are not handled at this address.", {
        headers: { upgrade: "websocket" },
      });
    }
    if (!acceptsEvents(exchange.header("accept"))) {
      throw new Refusal(406, "The request must accept text/event-stream.");
    }
    const connection = this.#find(requiredConnection(exchange), principal);
    const sessionId = idHeader(exchange, headerNames.session);
    const { reader } = connection.open(sessionId, numberHeader(exchange, headerNames.received));
    return { status: 200, headers: streamHeaders, body: reader };
  }

  async #delete(exchange: HttpExchange, principal: P): Promise<HttpReply> {
    this.#find(requiredConnection(exchange), principal).end();
    return accepted;
  }

  #find(id: string, principal: P): HttpConnection {
    const connection = this.connections.find(id, principal);
    if (connection !== undefined) return connection;
    throw new Refusal(404, "There is no such connection: it has ended, or never was. Send initialize for a new one.");
  }
}

const accepted: HttpReply = { status: 202, headers: {}, body: undefined };

const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no", // nginx would gather the events
};

function requiredConnection(exchange: HttpExchange): string {
  const id = idHeader(exchange, headerNames.connection);
  if (id === null) throw new Refusal(400, "The header Acp-Connection-Id is missing.");
  return id;
}

function idHeader(exchange: HttpExchange, name: string): string | null {
  const id = exchange.header(name);
  if (id !== null && (id === "" || id.length > MAX_ID_CHARACTERS)) {
    throw new Refusal(400, `The header ${name} is empty or longer than ${MAX_ID_CHARACTERS} characters.`);
  }
  return id;
}

function numberHeader(exchange: HttpExchange, name: string): number | undefined {
  const text = exchange.header(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new Refusal(400, `The header ${name} is not a number.`);
  return Number(text);
}

function acceptsEvents(accept: string | null): boolean {
  return (
    accept?.split(",").some((type) => type.split(";", 1)[0]?.trim().toLowerCase() === "text/event-stream") ?? false
  );
}

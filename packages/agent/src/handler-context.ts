import type { PeerContext } from "@acp-kit/protocol";
import type { AgentContext } from "./agent-definition.js";
import type { ClientConnection } from "./client-connection.js";

/** The request that a handler answers, with its connection. What is seldom asked for stays with the request until it is. */
export class HandlerContext implements AgentContext {
  readonly id: AgentContext["id"];
  readonly method: string;
  readonly connection: ClientConnection;
  readonly session: AgentContext["session"];
  readonly #request: PeerContext;

  constructor(request: PeerContext, connection: ClientConnection, session: AgentContext["session"]) {
    this.id = request.id;
    this.method = request.method;
    this.connection = connection;
    this.session = session;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get afterResponse(): AgentContext["afterResponse"] {
    return this.#request.afterResponse;
  }
}

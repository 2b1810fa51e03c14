import type { PeerContext } from "@acp-kit/protocol";
import type { AgentContext } from "./agent-definition.js";
import type { ClientConnection } from "./client-connection.js";

/** The context of a handler: its request and connection. Rarely used members are read from the request on demand, which keeps this cheap. */
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

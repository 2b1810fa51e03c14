import type { PeerContext } from "@acp-kit/protocol";
import type { AgentContext } from "./agent-definition.js";
import type { ClientConnection } from "./client-connection.js";

/**
 * The context of a handler: its request and its connection. It is created for every request, so members that are rarely
 * used are read from the request on demand.
 */
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

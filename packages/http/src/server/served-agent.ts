import type { DiagnosticListener, Transport } from "@acp-kit/jsonrpc";
import type { Principal } from "./principal.js";

/** An agent that can be served: one of `createAgent`, a gateway, anything that can be connected to a transport. */
export interface ServedAgent {
  /** Begins a conversation over `transport`. `defaults` hold where the agent has no settings of its own. */
  connect(transport: Transport, defaults?: ServedAgentDefaults): ServedAgentConnection;
}

/** What the server offers to a connection. */
export interface ServedAgentDefaults {
  /** Receives the connection's diagnostics when the agent has no listener of its own. */
  readonly onDiagnostic?: DiagnosticListener;
}

/** What the server needs of a connection. */
export interface ServedAgentConnection {
  /** Settles when the connection has ended. */
  readonly closed: Promise<unknown>;
  /** Cancels running work, responds to pending requests for up to `drainMs`, and closes. */
  close(options?: { readonly drainMs?: number }): Promise<unknown>;
}

/** The connection that an agent is chosen for. */
export interface ConnectionContext<P extends Principal = Principal> {
  readonly connectionId: string;
  /** The authenticated caller. */
  readonly principal: P;
  /** The request that opens the connection: `initialize`, or the WebSocket upgrade. Its body is not readable. */
  readonly request: Request;
}

/**
 * The agent to serve: one for everybody, or a function that returns the agent of a principal. An agent that keeps sessions must scope them to
 * the principal, because a session id is not a credential.
 */
export type AgentChoice<P extends Principal = Principal> =
  | ServedAgent
  | ((context: ConnectionContext<P>) => ServedAgent | PromiseLike<ServedAgent>);

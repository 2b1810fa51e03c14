import type { Transport } from "@acp-kit/jsonrpc";
import type { DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import type { Principal } from "./principal.js";

/** An agent that a server can serve: an agent of `createAgent`, a gateway, or any object with a `connect` method. */
export interface ServedAgent {
  /** Connects the agent to a client. `defaults` are settings for an agent that does not define them itself. */
  connect(transport: Transport, defaults?: ServedAgentDefaults): ServedAgentConnection;
}

/** The settings that a server passes to `connect`. */
export interface ServedAgentDefaults {
  /** Receives the diagnostics of a connection whose agent has no `onDiagnostic`. */
  readonly onDiagnostic?: DiagnosticListener;
}

/** The members of a connection that a server uses. */
export interface ServedAgentConnection {
  /** A promise that settles when the connection has ended. */
  readonly closed: Promise<unknown>;
  /** Closes the connection: cancels running work and responds to pending requests for up to `drainTimeoutMs`. */
  close(options?: { readonly drainTimeoutMs?: number }): Promise<unknown>;
}

/** The new connection for which the application's function chooses the agent. */
export interface ConnectionContext<P extends Principal = Principal> {
  readonly connectionId: string;
  /** The principal that `authenticate` returned. */
  readonly principal: P;
  /** The request that opens the connection: `initialize` or the upgrade. Its body can't be read. */
  readonly request: Request;
}

/**
 * The agent to serve: one agent for all clients, or a function that returns the agent for a principal. An agent that
 * keeps sessions must separate them by principal, because a session id is not a credential.
 */
export type AgentChoice<P extends Principal = Principal> =
  | ServedAgent
  | ((context: ConnectionContext<P>) => ServedAgent | PromiseLike<ServedAgent>);

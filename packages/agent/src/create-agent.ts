import type { Diagnostic, Transport } from "@acp-kit/protocol";
import { AgentConnection } from "./agent-connection.js";
import type { AgentDefinition, AgentOptions } from "./agent-definition.js";

/** What serves an agent may know better than its author: used where {@link AgentOptions} say nothing. */
export interface ConnectDefaults {
  /** Receives the diagnostics of the connection when the agent has no `onDiagnostic` of its own. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

/** An agent, ready to be connected: to this process's stdio with `serveStdio`, to any transport with {@link connect}. */
export interface Agent {
  /** Starts a conversation with the client at the other end. Each connection has sessions of its own. */
  connect(transport: Transport, defaults?: ConnectDefaults): AgentConnection;
}

/**
 * Creates an agent from its handlers.
 *
 * @example
 * ```ts
 * const agent = createAgent({
 *   info: { name: "hello", version: "1.0.0" },
 *   newSession: () => ({ sessionId: crypto.randomUUID() }),
 *   prompt: async (turn) => {
 *     await turn.message(`You said: ${turn.text}`);
 *   },
 * });
 * ```
 */
export function createAgent(definition: AgentDefinition, options: AgentOptions = {}): Agent {
  return {
    connect: (transport, defaults = {}) => new AgentConnection(definition, { ...defaults, ...options }, transport),
  };
}

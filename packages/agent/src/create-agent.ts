import type { Diagnostic, Transport } from "@acp-kit/protocol";
import type { AgentDefinition } from "./agent-definition.js";
import type { AgentOptions } from "./agent-options.js";
import { checkDefinition } from "./check-definition.js";
import type { ClientConnection } from "./client-connection.js";
import { LiveConnection } from "./live-connection.js";

/**
 * Settings from the program that serves an agent, such as `serveStdio`. A setting applies only if the agent's own
 * {@link AgentOptions} does not contain it.
 */
export interface ConnectDefaults {
  /** Receives the diagnostics of the connection if the agent has no `onDiagnostic`. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

/**
 * An agent that can be connected to clients: with `serveStdio` over standard input and output, or with {@link connect}
 * over any transport.
 */
export interface Agent {
  /** Connects the agent to the client at the other end of a transport. Each connection has separate sessions. */
  connect(transport: Transport, defaults?: ConnectDefaults): ClientConnection;
}

/**
 * Creates an agent from its handlers.
 *
 * @throws {InvalidOptionError} when a handler or option is missing, misspelt or of the wrong type.
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
  checkDefinition(definition, options);
  return {
    connect: (transport, defaults = {}) => new LiveConnection(definition, { ...defaults, ...options }, transport),
  };
}

import type { ClientConnection } from "@acp-kit/agent";
import type { IncomingNewSessionRequest, IncomingResumeSessionRequest } from "@acp-kit/types";
import type { ModelMessage } from "ai";

/** The session for which the application chooses tools and models. */
export interface AiSdkSession {
  readonly sessionId: string;
  /** The absolute path of the session's working directory. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The MCP servers of the client's request, from which `@ai-sdk/mcp` creates tools. */
  readonly mcpServers: IncomingNewSessionRequest["mcpServers"];
  /** The messages for the model: those of all earlier turns of the session and, during a turn, the user's prompt. */
  readonly messages: readonly ModelMessage[];
}

interface Open extends AiSdkSession {
  messages: ModelMessage[];
  readonly connections: Set<ClientConnection>;
}

type Setup = Pick<
  IncomingNewSessionRequest | IncomingResumeSessionRequest,
  "cwd" | "mcpServers" | "additionalDirectories"
>;

/** The sessions that are open over at least one connection, with the model's messages of each. */
export class AgentSessions {
  readonly #open = new Map<string, Open>();

  get(sessionId: string): Open | undefined {
    return this.#open.get(sessionId);
  }

  /**
   * Opens a session over a connection. `messages` returns the messages of a saved session. It is not called if the
   * session is already open over another connection: the session then keeps its messages, which are newer.
   */
  open(sessionId: string, setup: Setup, connection: ClientConnection, messages: () => ModelMessage[]): void {
    const before = this.#open.get(sessionId);
    const { cwd, mcpServers, additionalDirectories } = setup;
    const connections = before?.connections ?? new Set();
    this.#open.set(sessionId, {
      sessionId,
      cwd,
      mcpServers: mcpServers ?? [],
      additionalDirectories: additionalDirectories ?? [],
      messages: before?.messages ?? messages(),
      connections,
    });
    if (connections.has(connection)) return;
    connections.add(connection);
    void connection.closed.then(() => this.close(sessionId, connection));
  }

  /** Closes a session over a connection. The session is removed when no connection has it open. */
  close(sessionId: string, connection: ClientConnection): void {
    const session = this.#open.get(sessionId);
    session?.connections.delete(connection);
    if (session?.connections.size === 0) this.#open.delete(sessionId);
  }
}

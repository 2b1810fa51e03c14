import { type ClientConnection, sessionNotFound, type Turn } from "@acp-kit/agent";
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

/** A session of an agent. Its running turn has the same object as the connections that open the session meanwhile. */
interface OpenSession extends AiSdkSession {
  cwd: string;
  additionalDirectories: readonly string[];
  mcpServers: IncomingNewSessionRequest["mcpServers"];
  messages: ModelMessage[];
  /** The connections over which the session is open, and its running turns. */
  readonly users: Set<ClientConnection | Turn>;
}

type Setup = Pick<
  IncomingNewSessionRequest | IncomingResumeSessionRequest,
  "cwd" | "mcpServers" | "additionalDirectories"
>;

/** The sessions that are open over a connection or have a running turn, with the model's messages of each. */
export class AgentSessions {
  readonly #open = new Map<string, OpenSession>();

  /**
   * Opens a session over a connection. `messages` returns the messages of a saved session. It is not called if the
   * session is already open over another connection or has a running turn: the session then keeps its messages, which
   * are newer.
   */
  open(sessionId: string, setup: Setup, connection: ClientConnection, messages: () => ModelMessage[]): void {
    const { cwd, additionalDirectories, mcpServers } = setup;
    const current = { cwd, additionalDirectories: additionalDirectories ?? [], mcpServers: mcpServers ?? [] };
    const existing = this.#open.get(sessionId);
    const session = existing ?? { sessionId, ...current, messages: messages(), users: new Set() };
    // The object stays the same, because a running turn adds its messages to it.
    Object.assign(session, current);
    this.#open.set(sessionId, session);
    if (session.users.has(connection)) return;
    session.users.add(connection);
    void connection.closed.then(() => this.#leave(session, connection));
  }

  /** Closes a session over a connection. */
  close(sessionId: string, connection: ClientConnection): void {
    const session = this.#open.get(sessionId);
    if (session !== undefined) this.#leave(session, connection);
  }

  /** Runs a turn. Until it ends, the session stays open, even if its connections end. */
  async during<Result>(turn: Turn, run: (session: OpenSession) => Promise<Result>): Promise<Result> {
    const session = this.#open.get(turn.sessionId);
    if (session === undefined) throw sessionNotFound(turn.sessionId);
    session.users.add(turn);
    try {
      return await run(session);
    } finally {
      this.#leave(session, turn);
    }
  }

  #leave(session: OpenSession, user: ClientConnection | Turn): void {
    session.users.delete(user);
    if (session.users.size === 0 && this.#open.get(session.sessionId) === session) this.#open.delete(session.sessionId);
  }
}

import { type ClientConnection, sessionNotFound, type Turn } from "@acp-kit/agent";
import type { IncomingNewSessionRequest, IncomingResumeSessionRequest } from "@acp-kit/types";
import type { ModelMessage } from "ai";
import type { OpenSessionMcp, SessionMcp } from "./session-mcp.js";

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
  /** The servers of `mcpServers`, with the option `mcp`. */
  mcp?: OpenSessionMcp;
  /** The connection that opened `mcp`, and the servers as text. */
  mcpKey?: { readonly connection: ClientConnection; readonly servers: string };
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
  readonly #mcp: SessionMcp | undefined;

  constructor(mcp?: SessionMcp) {
    this.#mcp = mcp;
  }

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
    this.#openMcp(session, connection);
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

  /** Replaces the connections to servers, unless the session has the same ones. */
  #openMcp(session: OpenSession, connection: ClientConnection): void {
    if (this.#mcp === undefined) return;
    const { cwd, mcpServers, mcpKey } = session;
    const servers = JSON.stringify([cwd, mcpServers]);
    const isServedByClient = mcpServers.some(({ type }) => (type as string | undefined) === "acp");
    if (mcpKey?.servers === servers && (mcpKey.connection === connection || !isServedByClient)) return;
    void session.mcp?.close();
    session.mcp = this.#mcp.open({ cwd, mcpServers, connection });
    session.mcpKey = { connection, servers };
  }

  #leave(session: OpenSession, user: ClientConnection | Turn): void {
    session.users.delete(user);
    if (session.users.size > 0 || this.#open.get(session.sessionId) !== session) return;
    this.#open.delete(session.sessionId);
    void session.mcp?.close();
  }
}

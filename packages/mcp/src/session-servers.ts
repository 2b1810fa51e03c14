import type { Diagnostic } from "@acp-kit/jsonrpc";
import { type Deferred, deferred, type JsonObject } from "@acp-kit/jsonrpc/internal";
import type { McpSource } from "./mcp-source.js";
import { ServedServer } from "./served-server.js";

/** The params of a request that opens a session, for sources that differ by session. */
export interface SessionParams {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly _meta?: JsonObject | null;
}

/** A server of MCP, or a function that returns the server for a session; `undefined` if the session has none. */
export type McpSourceOf = McpSource | ((session: SessionParams) => McpSource | undefined);

/** An address of a server for agents that can't reach it over ACP. */
export interface ServerAddress {
  /** The entry of `mcpServers`, in the form of version 1. */
  readonly entry: JsonObject;
  close(): void;
}

/** The servers of a session. */
export interface ChosenSources {
  /** A session that is opened again keeps its servers if the key is the same. */
  readonly key: string;
  sources(): readonly McpSource[];
}

/** Returns the function that chooses the servers of an application for each session. */
export function sourcesFor(sources: readonly McpSourceOf[]): (params: SessionParams) => ChosenSources {
  return (params) => ({
    key: "",
    sources: () =>
      sources
        .map((source) => (typeof source === "function" ? source(params) : source))
        .filter((source) => source !== undefined),
  });
}

/** The servers that were declared for one session. */
export class DeclaredSession {
  readonly servers: readonly ServedServer[];
  /** The addresses of the servers, by server. They stay the same as long as the session is open. */
  readonly addresses: Map<ServedServer, ServerAddress> = new Map();
  /**
   * Identifies the servers among those that could be declared for the session; the same for those that do not change.
   */
  readonly key: string;
  readonly #controller = new AbortController();
  readonly #id: Deferred<string> = deferred();

  constructor(chosen: ChosenSources, cwd: string, report: (diagnostic: Diagnostic) => void) {
    const session = { cwd, id: this.#id.promise, signal: this.#controller.signal };
    this.key = chosen.key;
    this.servers = chosen
      .sources()
      .map((source) => new ServedServer(source.name, source.open(session, report), report));
  }

  opened(sessionId: string): void {
    this.#id.resolve(sessionId);
  }

  abortCalls(reason: unknown): void {
    for (const server of this.servers) server.abort(reason);
  }

  close(reason: unknown): void {
    this.#id.reject(reason);
    for (const server of this.servers) server.close(reason);
    for (const address of this.addresses.values()) address.close();
    this.#controller.abort(reason);
  }
}

/** The declared servers of one client. They outlive its connections, so that a restarted agent finds them again. */
export class SessionServers {
  readonly #choose: (params: SessionParams) => ChosenSources;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #servers = new Map<string, ServedServer>();
  readonly #sessions = new Map<string, DeclaredSession>();
  /** Sessions whose id is not known yet. */
  readonly #opening = new Set<DeclaredSession>();

  constructor(choose: (params: SessionParams) => ChosenSources, report: (diagnostic: Diagnostic) => void) {
    this.#choose = choose;
    this.#report = report;
  }

  /** Returns the server with this id. */
  get(serverId: string): ServedServer | undefined {
    return this.#servers.get(serverId);
  }

  /** Whether no session has servers. */
  get isEmpty(): boolean {
    return this.#servers.size === 0;
  }

  /** Declares the servers of a session. A session that has the same servers keeps them. */
  declare(params: SessionParams, sessionId: string | undefined): DeclaredSession {
    const known = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    const chosen = this.#choose(params);
    if (known?.key === chosen.key) return known;
    const session = new DeclaredSession(chosen, params.cwd, this.#report);
    for (const server of session.servers) this.#servers.set(server.serverId, server);
    this.#opening.add(session);
    return session;
  }

  /** Called when the agent has opened the session. */
  opened(session: DeclaredSession, sessionId: string): void {
    if (!this.#opening.delete(session)) return;
    const before = this.#sessions.get(sessionId);
    if (before !== undefined) this.#remove(before, new Error("The session was opened again"));
    this.#sessions.set(sessionId, session);
    session.opened(sessionId);
  }

  /** Called when the agent has not opened the session. */
  failed(session: DeclaredSession): void {
    if (this.#opening.delete(session)) this.#remove(session, new Error("The session could not be opened"));
  }

  /** Removes the servers of a session that was closed. */
  closed(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.delete(sessionId);
    this.#remove(session, new Error("The session was closed"));
  }

  /** Called when a turn of the session has ended by a cancel: aborts the calls that the agent forgot. */
  turnCancelled(sessionId: string): void {
    this.#sessions.get(sessionId)?.abortCalls(new Error("The turn was cancelled"));
  }

  /** Called when a connection has ended, which the agent may open again. */
  disconnected(reason: unknown): void {
    for (const session of [...this.#opening]) this.failed(session);
    for (const session of this.#sessions.values()) session.abortCalls(reason);
  }

  /** Called when the agent will not be connected again. */
  close(reason: unknown): void {
    this.disconnected(reason);
    for (const session of this.#sessions.values()) this.#remove(session, reason);
    this.#sessions.clear();
  }

  #remove(session: DeclaredSession, reason: unknown): void {
    for (const { serverId } of session.servers) this.#servers.delete(serverId);
    session.close(reason);
  }
}

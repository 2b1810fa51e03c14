import {
  Connection,
  type ConnectionError,
  isRpcError,
  JsonRpcErrorCode,
  methodNotFound,
  type RequestContext,
  type RequestOptions,
  RpcError,
  type Transport,
} from "@acp-kit/jsonrpc";
import { type Deferred, type DiagnosticListener, deferred, memoryOf, onAbort } from "@acp-kit/jsonrpc/internal";
import type { ClientCapabilities, Implementation } from "@acp-kit/types";
import { limitReached } from "../gateway-error.js";
import type { SessionParams } from "../journal/journal-entry.js";
import { acpServerIds, MCP_MESSAGE, type McpCall, unavailable } from "../mcp-servers.js";
import type { SessionOpening } from "../session/command.js";
import type { GatewayVersion, ProtocolVersion } from "../version.js";

/**
 * The receiver of an agent's messages about one session. The params of these messages contain the session id that the
 * agent chose, and are in the version of the agent.
 */
export interface AgentSink {
  /** Handles a notification. If the method returns a promise, the session's next message waits for the promise. */
  notification(method: string, params: SessionParams, version: ProtocolVersion): void | Promise<void>;
  request(method: string, params: SessionParams, version: ProtocolVersion, signal: AbortSignal): Promise<unknown>;
  /** Returns the function that calls an MCP server of a client of the session that is connected to another replica. */
  mcpServer(serverId: string): ((call: McpCall) => Promise<unknown>) | undefined;
}

/**
 * An agent's response to `initialize`, in the form of version 1. The gateway reads the members of this interface. It
 * forwards all others to its clients unchanged.
 */
export interface AgentProfile {
  readonly protocolVersion?: unknown;
  readonly agentCapabilities?: {
    readonly loadSession?: unknown;
    readonly sessionCapabilities?: Readonly<Record<string, unknown>> | null;
    readonly [member: string]: unknown;
  } | null;
  readonly authMethods?: unknown;
  readonly [member: string]: unknown;
}

/** An agent's response to `initialize`, in the form of version 1, and as the agent sent it. */
export interface DescribedAgent {
  readonly profile: AgentProfile;
  readonly version: ProtocolVersion;
  readonly response: object;
}

/** Options for initializing an agent. */
export interface AgentHostOptions {
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo: Implementation;
  /** Version 2, if it is offered to agents. */
  readonly v2?: GatewayVersion | undefined;
  readonly initializeTimeoutMs: number;
  /** The maximum memory of messages that wait until the agent reads: see {@link AgentHost.assertReads}. */
  readonly maxUnreadBytes: number;
  /** How long messages that an ended agent had sent may wait until they are handled, in milliseconds. */
  readonly drainTimeoutMs: number;
  /** Calls an MCP server that a client of the agent's principal serves. */
  readonly callMcp: (call: McpCall) => Promise<unknown>;
  readonly onDiagnostic: DiagnosticListener | undefined;
}

/** The error code of an agent that refuses to choose a version: it supports none that is at most the requested one. */
const UNSUPPORTED_VERSION = -32022;

/** The maximum number of buffered notifications. They are about sessions that the agent is still creating. */
const MAX_EARLY_NOTIFICATIONS = 1_000;

/** The number of MCP servers whose ids an agent has. Above it, the oldest is forgotten. */
const MAX_MCP_SERVERS = 10_000;

/** When a client may send a message again that was refused because the agent does not read, in milliseconds. */
const RETRY_MS = 1_000;

/** How long the end of an agent waits for the responses to its open requests, in milliseconds. */
const RESPOND_MS = 100;

interface Early {
  readonly method: string;
  readonly params: SessionParams;
}

/** A running agent with any number of sessions. Call {@link initialize} first. */
export class AgentHost {
  /** Resolves with the reason when the agent has ended; never rejects. */
  readonly closed: Promise<ConnectionError>;
  readonly #options: AgentHostOptions;
  readonly #transport: Transport;
  readonly #connection: Connection;
  /** The memory of the messages that wait until the agent reads. */
  #unread = 0;
  /**
   * The agent's open requests. They are cancelled when the agent has ended its output; its notifications are still
   * handled.
   */
  readonly #requests = new Set<AbortController>();
  readonly #sinks = new Map<string, AgentSink>();
  /** The ids of the MCP servers that clients serve and that this agent got. It can call no others. */
  readonly #mcpServers = new Set<string>();
  #described: DescribedAgent = { profile: {}, version: 1, response: {} };
  #early: Early[] = [];
  /**
   * The number of calls of {@link newSession} minus the number of calls of {@link openingDone}. Updates are buffered
   * while it is not 0.
   */
  #opening = 0;
  #opened: Deferred<void> | undefined;

  constructor(transport: Transport, options: AgentHostOptions) {
    const { drainTimeoutMs, onDiagnostic } = options;
    this.#options = options;
    this.#transport = transport;
    this.#connection = new Connection(transport, {
      respondToMalformed: false, // agents print banners on stdout
      drainTimeoutMs,
      onPeerEnded: () => {
        for (const request of this.#requests) request.abort();
      },
      orderBy: (_, params) => sessionIdOf(params),
      ...(onDiagnostic !== undefined && { onDiagnostic }),
      fallback: {
        notification: (method) => ({ handler: (params) => this.#notification(method, params) }),
        request: (method) => ({ handler: (params, context) => this.#request(method, params, context) }),
      },
    });
    this.closed = this.#connection.closed;
    this.#connection.onNotification("session/update", (params) => this.#notification("session/update", params));
  }

  /**
   * Initializes the agent. If this fails, closes the transport.
   *
   * @throws {RpcError} if the agent rejects `initialize`. @throws {ConnectionError} if the agent ends, or does not
   * respond in time.
   */
  async initialize(): Promise<void> {
    const { clientCapabilities, clientInfo, v2, initializeTimeoutMs: timeoutMs } = this.#options;
    try {
      this.#connection.listen();
      const params = { protocolVersion: 1, clientCapabilities, clientInfo };
      const initialize = (offer: object): Promise<unknown> =>
        this.#connection.request("initialize", offer, { timeoutMs });
      const response = await initialize(v2?.offer(params) ?? params).catch((error: unknown) => {
        if (v2 !== undefined && isRpcError(error) && error.code === UNSUPPORTED_VERSION) return initialize(params);
        throw error;
      });
      if (typeof response !== "object" || response === null)
        throw new RpcError(JsonRpcErrorCode.internalError, "The agent's response to initialize is not an object");
      this.#described = this.#describe(response);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  #describe(response: object): DescribedAgent {
    const { v2 } = this.#options;
    if (v2?.isChosen(response)) return { profile: v2.profile(response, 1) as AgentProfile, version: 2, response };
    const profile = response as AgentProfile;
    const { protocolVersion } = profile;
    // An agent that only repeats the number of version 2 speaks version 1.
    const isV1 = protocolVersion === 1 || (v2 !== undefined && protocolVersion === 2);
    if (isV1) return { profile, version: 1, response };
    throw new RpcError(JsonRpcErrorCode.internalError, "The agent does not support protocol version 1");
  }

  get described(): DescribedAgent {
    return this.#described;
  }

  get #profile(): AgentProfile {
    return this.#described.profile;
  }

  /** The version of the protocol that the agent has chosen. */
  get version(): ProtocolVersion {
    return this.#described.version;
  }

  /**
   * Returns the params with which the agent opens a session.
   *
   * @throws {RpcError} if the version of the agent does not have the MCP servers.
   */
  openingParams({ version, mcpServers, ...params }: SessionOpening): object {
    const { v2 } = this.#options;
    const isEqual = (version ?? 1) === this.version || v2 === undefined;
    for (const serverId of acpServerIds(mcpServers)) {
      this.#mcpServers.add(serverId);
      const [oldest = ""] = this.#mcpServers;
      if (this.#mcpServers.size > MAX_MCP_SERVERS) this.#mcpServers.delete(oldest);
    }
    return { ...params, mcpServers: isEqual ? mcpServers : v2.servers(mcpServers, this.version) };
  }

  get isOpen(): boolean {
    return this.#connection.state === "open";
  }

  /** The number of sessions for which {@link bind} was called. */
  get sessions(): number {
    return this.#sinks.size;
  }

  /** Whether the agent advertised a session capability: `resume`, `close`, `delete`. */
  supports(capability: string): boolean {
    return this.#profile.agentCapabilities?.sessionCapabilities?.[capability] != null;
  }

  get supportsLoad(): boolean {
    return this.#profile.agentCapabilities?.loadSession === true;
  }

  request(method: string, params: object, options?: RequestOptions): Promise<unknown> {
    const response = this.#connection.request(method, params, options);
    this.#countUnread(params);
    return response;
  }

  notify(method: string, params: object): void {
    void this.#connection.notify(method, params);
    this.#countUnread(params);
  }

  /**
   * Must be called before a client's message that may wait is sent. Cancellations and responses never wait.
   *
   * @throws {RpcError} `limit` if too many bytes wait until the agent reads.
   */
  assertReads(): void {
    if (this.#unread > this.#options.maxUnreadBytes)
      throw limitReached("maxQueuedBytes", "The agent does not read: send the message again later", RETRY_MS);
  }

  #countUnread(params: object): void {
    const { full } = this.#transport;
    if (full === undefined) return;
    if (this.#unread === 0)
      void full.then(() => {
        this.#unread = 0;
      });
    this.#unread += memoryOf(params);
  }

  /**
   * Creates a session. The host buffers updates about the session until {@link bind}. Call {@link openingDone} after
   * `bind`, or when you don't use the session.
   *
   * @throws {ConnectionError} if the agent does not respond within `timeoutMs`.
   */
  async newSession(
    params: object,
    timeoutMs: number,
  ): Promise<{ readonly sessionId: string; readonly response: object }> {
    this.#opening += 1;
    this.#opened ??= deferred();
    const response = await this.#connection.request("session/new", params, { timeoutMs });
    const sessionId = sessionIdOf(response);
    if (sessionId === undefined)
      throw new RpcError(JsonRpcErrorCode.internalError, "The agent's new session has no id");
    return { sessionId, response: response as object };
  }

  /** Ends the buffering that {@link newSession} began. */
  openingDone(): void {
    this.#opening -= 1;
    if (this.#opening > 0) return;
    this.#early = [];
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  /**
   * Passes the agent's messages about a session to a sink. Buffered updates come first. Replaces an earlier sink of
   * this session.
   */
  bind(agentSessionId: string, sink: AgentSink): void {
    this.#sinks.set(agentSessionId, sink);
    const early = this.#early.filter(({ params }) => params.sessionId === agentSessionId);
    this.#early = this.#early.filter(({ params }) => params.sessionId !== agentSessionId);
    for (const { method, params } of early) void sink.notification(method, params, this.version);
  }

  unbind(agentSessionId: string): void {
    this.#sinks.delete(agentSessionId);
  }

  /** Ends the agent and its process, if it has one. Responses to its requests are sent first. */
  close(): Promise<void> {
    return this.#connection.close({ drainTimeoutMs: RESPOND_MS });
  }

  #notification(method: string, raw: unknown): void | Promise<void> {
    if (method === MCP_MESSAGE) return; // servers of clients get no notifications
    const sessionId = sessionIdOf(raw);
    const sink = this.#sinkOf(sessionId);
    if (sink !== undefined) return sink.notification(method, raw as SessionParams, this.version);
    if (sessionId === undefined || this.#opening === 0 || this.#early.length >= MAX_EARLY_NOTIFICATIONS) return;
    this.#early.push({ method, params: raw as SessionParams });
  }

  async #request(method: string, raw: unknown, { signal }: RequestContext): Promise<unknown> {
    if (method === MCP_MESSAGE) return this.#callMcp(raw, signal);
    if (method === "mcp/connect" || method === "mcp/disconnect") throw methodNotFound(method); // an earlier form
    const sessionId = sessionIdOf(raw);
    if (sessionId !== undefined && !this.#sinks.has(sessionId)) await this.#opened?.promise;
    const sink = this.#sinkOf(sessionId);
    if (sink === undefined) throw new RpcError(-32002, "Resource not found: session");
    const request = new AbortController();
    const stop = onAbort(signal, () => request.abort());
    if (!this.isOpen) request.abort();
    this.#requests.add(request);
    try {
      return await sink.request(method, (raw ?? {}) as SessionParams, this.version, request.signal);
    } finally {
      stop();
      this.#requests.delete(request);
    }
  }

  async #callMcp(params: unknown, signal: AbortSignal): Promise<unknown> {
    const { serverId } = (params ?? {}) as { readonly serverId?: unknown };
    if (typeof serverId === "string" && !this.#mcpServers.has(serverId))
      throw unavailable("The agent has no such MCP server");
    const notify = (more: object): void => this.notify(MCP_MESSAGE, more);
    const elsewhere: McpCall["elsewhere"] = (id) => {
      for (const sink of this.#sinks.values()) {
        const call = sink.mcpServer(id);
        if (call !== undefined) return call;
      }
      return undefined;
    };
    return this.#options.callMcp({ params, signal, notify, elsewhere });
  }

  /**
   * Returns the sink of a session. A message without a session id belongs to the agent's session, if the agent has
   * exactly one.
   */
  #sinkOf(sessionId: string | undefined): AgentSink | undefined {
    if (sessionId !== undefined) return this.#sinks.get(sessionId);
    const [sink] = this.#sinks.values();
    return this.#sinks.size === 1 ? sink : undefined;
  }
}

function sessionIdOf(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const { sessionId } = params as { readonly sessionId?: unknown };
  return typeof sessionId === "string" ? sessionId : undefined;
}

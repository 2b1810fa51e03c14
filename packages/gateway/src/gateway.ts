import type { ConnectionError, RpcError, Transport } from "@acp-kit/jsonrpc";
import type { DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import { checkOptions, limitsOf, type OptionKinds, shareOf } from "@acp-kit/jsonrpc/internal";
import type { Implementation } from "@acp-kit/types";
import { AgentPool, type StartAgent } from "./agent/agent-pool.js";
import { ClientConnection } from "./client/client-connection.js";
import { KnownClients } from "./client/known-clients.js";
import { type GatewayClock, gatewaySystemClock } from "./clock.js";
import { Replica } from "./cluster/replica.js";
import type { ReplicaLink } from "./cluster/replica-link.js";
import type { Engine } from "./engine/engine.js";
import { type GatewayEventListener, reporter } from "./events.js";
import { gatewayError, limitReached } from "./gateway-error.js";
import { journalOf, type SessionJournal } from "./journal/session-journal.js";
import {
  type AllGatewayLimits,
  type AllGatewayTimes,
  allLimitDefaults,
  allTimeDefaults,
  type GatewayLimits,
  type GatewayTimes,
  gatewayLimitDefaults,
  gatewayTimeDefaults,
} from "./limits.js";
import { McpServers } from "./mcp-servers.js";
import { capabilitiesFor, type GatewayPolicy } from "./policy.js";
import { type GatewayPrincipal, scopeOf } from "./principal.js";
import { PrincipalCounts } from "./principal-counts.js";
import { PrincipalMemory } from "./principal-memory.js";
import { randomId } from "./random-id.js";
import { engineFailure } from "./retry.js";
import type { SessionFolder } from "./session/session-folder.js";
import type { GatewayVersion } from "./version.js";

/** Options of {@link createGateway}. */
export interface GatewayOptions {
  /** Starts an agent for a principal. The function chooses the agent's command, environment, folder and sandbox. */
  readonly start: StartAgent;
  /** The storage of the sessions. The gateway does not close it. */
  readonly engine: Engine;
  /**
   * The direct link to other gateways on the same engine. By default, messages go through the engine. The gateway does
   * not close it.
   */
  readonly link?: ReplicaLink;
  readonly policy?: GatewayPolicy;
  /**
   * Versions of the protocol beside version 1, for agents and clients: `[v2]` with `v2` of `@acp-kit/v2/gateway`. By
   * default, the gateway speaks only version 1.
   */
  readonly versions?: readonly GatewayVersion[];
  /**
   * Decides which folder a session may use, for each path in the params of a client. `folderWithin` of
   * `@acp-kit/gateway/node` limits each user to one folder. By default, agents get the paths that clients send.
   */
  readonly folder?: SessionFolder;
  /**
   * `"session"`: the gateway starts an agent for each session. `"principal"`: all sessions of a principal share one
   * agent. Default `"session"`.
   */
  readonly agentPer?: "session" | "principal";
  /** The number of agents that the gateway starts and initializes in advance for each active principal. Default 0. */
  readonly warm?: number;
  readonly limits?: Partial<GatewayLimits>;
  readonly times?: Partial<GatewayTimes>;
  /** The `clientInfo` that agents receive. */
  readonly info?: Implementation;
  /** Receives events for logs and metrics. Events contain no content of messages. */
  readonly onEvent?: GatewayEventListener;
  /** Receives the diagnostics of connections to clients and agents. */
  readonly onDiagnostic?: DiagnosticListener;
  /** The clock, for tests. Default: the clock of the process. */
  readonly clock?: GatewayClock;
  /** Creates the ids of sessions, connections and replicas, for tests. Default: 128 random bits. */
  readonly randomId?: () => string;
}

/** A client's connection to a gateway. */
export interface AcceptedConnection {
  /** The id of the connection in events of this replica. */
  readonly id: string;
  /** Resolves with the reason when the connection has ended. */
  readonly closed: Promise<ConnectionError>;
  close(): Promise<void>;
}

/** The state of a gateway now: its numbers of connections, sessions and turns, and whether it works. */
export interface GatewayStatus {
  readonly connections: number;
  readonly sessions: number;
  readonly turns: number;
  readonly isDraining: boolean;
  /**
   * Whether this replica has renewed its membership with the engine in the last `leaseMs`. If not, other replicas may
   * take over its sessions.
   */
  readonly isEngineReachable: boolean;
}

/** Serves agents to clients. {@link createGateway} creates a gateway. */
export interface Gateway {
  /**
   * Serves the client at the other end of a transport, on behalf of a principal. The connection owns the transport.
   *
   * @throws {RpcError} with reason `limit` or `draining`. The gateway then closes the transport.
   */
  accept(transport: Transport, principal: GatewayPrincipal): AcceptedConnection;
  /**
   * Opens the journal of a session, to read it without ACP. Resolves with `undefined` if the principal has no such
   * session. An open journal counts against `maxJournals`.
   *
   * @throws {RpcError} with reason `limit` or `engine_unavailable`.
   */
  journal(principal: GatewayPrincipal, sessionId: string): Promise<SessionJournal | undefined>;
  status(): GatewayStatus;
  /**
   * Shuts down. Running turns get `graceMs` milliseconds (30,000 by default) to end. Turns that still run after this
   * time are interrupted. The gateway refuses new connections and sessions. When a session has no running turn, another
   * replica can continue it. The gateway closes each connection as soon as its client can continue on another replica.
   */
  drain(options?: { readonly graceMs?: number }): Promise<void>;
  /** Ends connections, agents and leases immediately. Journals stay in the engine. */
  close(): Promise<void>;
}

/**
 * Creates a gateway. A gateway serves an agent to any number of clients, and keeps their sessions.
 *
 * @throws {EngineError} if the engine can't be reached.
 * @throws {TypeError} if a limit or a time is unknown, or not a number from 0 to `Infinity`.
 * @example
 * ```ts
 * const gateway = await createGateway({ engine: memoryEngine(), start: () => spawnAgent({ command: "my-agent" }) });
 * gateway.accept(transport, { tenant: "acme", user: "ann" });
 * ```
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  checkOptions("createGateway", options, optionKinds);
  limitsOf<Partial<GatewayLimits>>("limits", gatewayLimitDefaults, options.limits);
  limitsOf<Partial<GatewayTimes>>("times", gatewayTimeDefaults, options.times);
  return createGatewayWith(options);
}

/** Options of {@link createGatewayWith}. */
export interface AllGatewayOptions extends Omit<GatewayOptions, "limits" | "times"> {
  readonly limits?: Partial<AllGatewayLimits>;
  readonly times?: Partial<AllGatewayTimes>;
}

/** Does the same as {@link createGateway}, with limits and times that are not options. For tests. */
export async function createGatewayWith(options: AllGatewayOptions): Promise<Gateway> {
  const { engine, start, policy = {}, clock = gatewaySystemClock, onDiagnostic } = options;
  const limits = limitsOf<Partial<AllGatewayLimits>>("limits", allLimitDefaults, options.limits);
  const timeDefaults = allTimeDefaults(options.times?.leaseMs);
  const times = limitsOf<Partial<AllGatewayTimes>>("times", timeDefaults, options.times);
  const emit = reporter(options.onEvent);
  const newId = options.randomId ?? randomId;
  const [v2] = options.versions ?? [];
  const mcp = new McpServers();
  const agents = new AgentPool({
    start,
    mcp,
    clock,
    onDiagnostic,
    warm: options.warm ?? 0,
    maxAgents: limits.maxAgents,
    maxAgentStarts: limits.maxAgentStarts,
    idleTimeoutMs: times.idleTimeoutMs,
    isShared: options.agentPer === "principal",
    v2,
    clientCapabilities: capabilitiesFor(policy),
    clientInfo: options.info ?? { name: "acp-kit-gateway", version: "0.0.0" },
    initializeTimeoutMs: times.initializeTimeoutMs,
    maxUnreadBytes: limits.maxQueuedBytes,
    drainTimeoutMs: times.engineGraceMs, // updates wait for the engine
    onStarted: (principal) => emit({ type: "agent_started", principal }),
    onEnded: (principal) => emit({ type: "agent_ended", principal }),
  });
  const memory = new PrincipalMemory(limits.maxQueuedBytes);
  const replica = await Replica.join({
    engine,
    memory,
    agents,
    mcp,
    clock,
    policy,
    v2,
    limits,
    times,
    emit,
    link: options.link,
    randomId: newId,
  });
  const clients = new KnownClients(clock, times.reconnectTimeoutMs, limits.maxConnectionsPerPrincipal);
  const { folder } = options;
  const parts = { engine, replica, memory, agents, mcp, clients, clock, limits, times, emit, onDiagnostic, folder, v2 };
  return new RunningGateway(parts, newId);
}

const optionKinds: OptionKinds<GatewayOptions> = {
  start: "function!",
  engine: "value!",
  link: "value",
  policy: "value",
  versions: "value",
  agentPer: ["session", "principal"],
  warm: "value",
  folder: "function",
  limits: "value",
  times: "value",
  info: "value",
  onEvent: "function",
  onDiagnostic: "function",
  clock: "value",
  randomId: "function",
};

type Parts = Omit<ConstructorParameters<typeof ClientConnection>[1], "id" | "principal">;

/** The interval at which a draining gateway looks for connections that it can close, in milliseconds. */
const DISMISS_EVERY_MS = 100;

/** `open` → `draining` → `closed`. `close()` skips `draining`. */
type GatewayState = "open" | "draining" | "closed";

class RunningGateway implements Gateway {
  readonly #parts: Parts;
  readonly #newId: () => string;
  readonly #connections = new Set<ClientConnection>();
  readonly #accepted: PrincipalCounts;
  readonly #journals: PrincipalCounts;
  #state: GatewayState = "open";
  #stopTending: () => void = () => {};
  #closing: Promise<void> | undefined;

  constructor(parts: Parts, newId: () => string) {
    this.#parts = parts;
    this.#newId = newId;
    this.#accepted = new PrincipalCounts(parts.limits.maxConnectionsPerPrincipal);
    this.#journals = new PrincipalCounts(parts.limits.maxJournals);
    this.#tend();
  }

  accept(transport: Transport, principal: GatewayPrincipal): AcceptedConnection {
    const { emit } = this.#parts;
    if (this.#state !== "open") {
      void transport.close();
      throw gatewayError("draining", "The server is being shut down");
    }
    const giveBack = this.#accepted.take(principal);
    if (giveBack === undefined) {
      void transport.close();
      throw this.#limitReached(principal, "maxConnectionsPerPrincipal", "connections");
    }
    const id = this.#newId();
    const connection = new ClientConnection(transport, { ...this.#parts, id, principal });
    this.#connections.add(connection);
    emit({ type: "connection_opened", principal });
    void connection.closed.then(() => {
      this.#connections.delete(connection);
      giveBack();
      emit({ type: "connection_closed", principal });
    });
    return { id, closed: connection.closed, close: () => connection.close() };
  }

  async journal(principal: GatewayPrincipal, sessionId: string): Promise<SessionJournal | undefined> {
    const { engine, replica, limits, memory } = this.#parts;
    const giveBack = this.#journals.take(principal);
    if (giveBack === undefined) throw this.#limitReached(principal, "maxJournals", "journals");
    const feed = await replica.feeds.open({ scope: scopeOf(principal), sessionId }).catch((error: unknown) => {
      giveBack();
      throw engineFailure(error);
    });
    if (feed === undefined) {
      giveBack();
      return undefined;
    }
    const { unread, leave } = memory.enter(principal);
    return journalOf(feed, engine, { ...limits, unread }, () => {
      giveBack();
      leave();
      replica.feeds.close(feed);
    });
  }

  #limitReached(
    principal: GatewayPrincipal,
    limit: "maxConnectionsPerPrincipal" | "maxJournals",
    what: string,
  ): RpcError {
    const { emit, limits } = this.#parts;
    emit({ type: "limit_reached", principal: scopeOf(principal), limit });
    return limitReached(limit, `At most ${shareOf(principal.access, limits[limit])} ${what} may be open at once`);
  }

  status(): GatewayStatus {
    const sessions = [...this.#parts.replica.owned.values()];
    return {
      connections: this.#connections.size,
      sessions: sessions.length,
      turns: sessions.filter(({ hasTurn }) => hasTurn).length,
      isDraining: this.#state !== "open",
      isEngineReachable: this.#parts.replica.isEngineReachable,
    };
  }

  async drain({ graceMs = 30_000 }: { readonly graceMs?: number } = {}): Promise<void> {
    if (this.#state === "closed") return this.close();
    this.#state = "draining";
    const stop = this.#dismiss();
    await this.#parts.replica.leave(graceMs);
    stop();
    await this.close();
  }

  /**
   * While the gateway drains, closes each connection as soon as its client can continue on another replica without an
   * interrupted turn.
   */
  #dismiss(): () => void {
    const { clock } = this.#parts;
    let stop: () => void = () => {};
    const check = (): void => {
      for (const connection of this.#connections) if (!connection.isNeeded) void connection.close();
      stop = clock.after(DISMISS_EVERY_MS, check);
    };
    check();
    return () => stop();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#state = "closed";
    this.#stopTending();
    await this.#parts.replica.leave(0); // also during a drain, which may still wait for turns
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    await this.#parts.agents.close();
  }

  #tend(): void {
    const { clients, clock, times } = this.#parts;
    this.#stopTending = clock.after(times.watchMs, () => {
      for (const connection of this.#connections) connection.tend();
      clients.expire();
      this.#tend();
    });
  }
}

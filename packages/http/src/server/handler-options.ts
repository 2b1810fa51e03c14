import type { MessageLimits } from "@acp-kit/jsonrpc";
import { type DiagnosticListener, limitsOf, messageLimitDefaults, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { Authenticate, Principal } from "./principal.js";

/**
 * The limits of a server. {@link acpHandlerDefaults} has the default of each limit; if one is exceeded, the server
 * responds with a status and the name of the limit.
 */
export interface ServerLimits {
  /** The maximum size of a received message. A longer POST gets 413; a longer message closes the WebSocket (1009). */
  readonly maxMessageBytes?: number;
  /** The maximum number of connections of all principals together. A further connection is refused with 503. */
  readonly maxConnections?: number;
  /**
   * The maximum number of connections of one principal, including WebSockets before `initialize`. An observer has half
   * of it. A further connection is refused with 429.
   */
  readonly maxConnectionsPerPrincipal?: number;
  /** The maximum number of open requests of the client on one connection. Further requests get 429. */
  readonly maxOpenRequests?: number;
  /**
   * If more than this number of bytes is queued for a client (the agent did not wait), the server ends the connection.
   * This is also the maximum number of bytes in the POSTs of one connection that are arriving, and in those that wait
   * until the agent reads. A parsed message counts with the memory that it needs. A further POST is refused with 429,
   * unless it is alone.
   *
   * A principal may hold twice as much, an observer as much as one connection, and all principals together eight times
   * as much. If that is exceeded, the server refuses POSTs, and ends connections whose clients do not read.
   */
  readonly maxQueuedBytes?: number;
  /** The milliseconds that messages wait for a client that does not read, before the connection ends. */
  readonly stallTimeoutMs?: number;
  /**
   * The time in milliseconds after which the server ends a connection that has no stream, POST or WebSocket. For the
   * same time without a reader, it keeps the stream of a closed session, and the updates of a session that the client
   * has not opened.
   */
  readonly idleTimeoutMs?: number;
  /** The milliseconds in which the agent must respond to `initialize`. After that time, the server sends 504. */
  readonly initializeTimeoutMs?: number;
  /**
   * The interval in milliseconds at which the server sends a comment or a ping to a client to which it sends no
   * messages. A value below 1,000 has the same effect as 1,000.
   */
  readonly keepAliveMs?: number;
  /** The milliseconds in which the agent may finish after its client has closed, or while the server closes. */
  readonly drainTimeoutMs?: number;
}

/** The default values of {@link ServerLimits}. */
export const acpHandlerDefaults: Required<ServerLimits> = {
  /** The default of `maxMessageBytes`: 16 MiB, as in other implementations. */
  maxMessageBytes: 16_777_216,
  maxConnections: 10_000,
  maxConnectionsPerPrincipal: 2_000,
  maxOpenRequests: 1_024,
  /** The default of `maxQueuedBytes`: 32 MiB. */
  maxQueuedBytes: 33_554_432,
  stallTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  initializeTimeoutMs: 60_000,
  keepAliveMs: 15_000,
  drainTimeoutMs: 1_000,
};

/** The limits of a server that are not options. Tests choose others. */
export interface FixedServerLimits extends Required<MessageLimits> {
  /** The time in milliseconds until a body has arrived. After that time, the server responds with 408. */
  readonly bodyTimeoutMs: number;
  /** The number of sessions with a stream on one connection. A further session is refused with 429. */
  readonly maxSessionsPerConnection: number;
  /** If more than this number of bytes is queued for a client, the agent has to wait. */
  readonly maxUnsentBytes: number;
  /** The milliseconds without any frame of a client, not even a pong, after which its WebSocket or session ends. */
  readonly pongTimeoutMs: number;
  /** The number of sent characters of each stream that the server keeps for a client that opens the stream again. */
  readonly maxKeptChars: number;
}

export const fixedServerLimits: FixedServerLimits = {
  ...messageLimitDefaults,
  bodyTimeoutMs: 30_000,
  maxSessionsPerConnection: 1_024,
  maxUnsentBytes: 262_144,
  pongTimeoutMs: 30_000,
  maxKeptChars: 262_144,
};

/** All limits of a server. */
export type AllServerLimits = Required<ServerLimits> & FixedServerLimits;

/** Returns all limits of a server. @throws {TypeError} when a limit is unknown or not a number from 0 to `Infinity`. */
export function serverLimitsOf(
  given: ServerLimits | undefined,
  fixed: Partial<FixedServerLimits> = {},
): AllServerLimits {
  return { ...fixedServerLimits, ...fixed, ...limitsOf("limits", acpHandlerDefaults, given) };
}

/** Who may use a server, and its limits. By default, only programs and pages of the same machine and origin. */
export interface AcpHandlerOptions<P extends Principal = Principal> {
  /**
   * Authenticates each request; see {@link Authenticate}. Without this option, every caller is the same principal, and
   * the server accepts only requests to a loopback host. `"none"` accepts unauthenticated requests to every host of
   * `allowedHosts`.
   */
  readonly authenticate?: Authenticate<P> | "none";
  /**
   * The hosts that the header `Host` of a request may contain, with or without a port. This check prevents a web page
   * from reaching the server through a host name of its own that resolves to this machine. The default is `localhost`
   * and the loopback addresses. `"any"` accepts every host.
   */
  readonly allowedHosts?: readonly string[] | "any";
  /**
   * The origins of web pages that may use the server from another origin, such as `https://app.example.com`. Responses
   * to these origins have CORS headers. By default, the list is empty.
   */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: ServerLimits;
  /**
   * The stream of the response to `session/load` over streamable HTTP, for clients of other libraries. The
   * specification requires `connection`: the server sends the response after the replay, but in another stream. A
   * client with two sockets may then read the response first. With `session`, the response follows the replay in the
   * session's stream, so every client reads the replay first. The client must then accept a response on any stream.
   * Clients of this package always receive the response after the replay. The default is `connection`.
   */
  readonly loadResponseStream?: "connection" | "session";
  /** Receives the diagnostics of connections whose agent has no `onDiagnostic`. */
  readonly onDiagnostic?: DiagnosticListener;
  /** Receives errors of `authenticate` and of the choice of the agent, whose texts are not sent to clients. */
  readonly onError?: (error: unknown) => void;
}

/** The kinds of the options, for their check. */
export const acpHandlerKinds: OptionKinds<AcpHandlerOptions> = {
  authenticate: "value",
  allowedHosts: "value",
  allowedOrigins: "value",
  limits: "value",
  loadResponseStream: ["session", "connection"],
  onDiagnostic: "function",
  onError: "function",
};

import type { DiagnosticListener } from "@acp-kit/jsonrpc";
import { type MessageLimits, messageLimitDefaults } from "@acp-kit/jsonrpc";
import type { Authenticate, Principal } from "./principal.js";

/**
 * The limits of a server. Each has a default in {@link acpHandlerDefaults}; exceeding one responds with a status and the limit's name. Queued bytes are
 * counted as one for each character of a message.
 */
export interface ServerLimits extends MessageLimits {
  /** Size of one body or WebSocket message. A longer one is refused with 413, or closes the WebSocket with 1009. */
  readonly maxBodyBytes?: number;
  /** How long a body may take to arrive. After that 408. */
  readonly bodyTimeoutMs?: number;
  /** Connections of all principals together. One more is refused with 503. */
  readonly maxConnections?: number;
  /** Connections of one principal. One more is refused with 429. */
  readonly maxConnectionsPerPrincipal?: number;
  /** Sessions with a stream on one connection. One more is refused with 429. */
  readonly maxSessionsPerConnection?: number;
  /** Requests of the client without a response, on one connection. One more is refused with 429. */
  readonly maxOpenRequests?: number;
  /** POSTs of one connection that wait for the agent to read on, or for one with a lower number. One more is refused with 429. */
  readonly maxWaitingPosts?: number;
  /** How long a POST waits for one with a lower number. After that 409. */
  readonly postOrderTimeoutMs?: number;
  /** Queued bytes for a client above which the agent has to wait. */
  readonly highWaterMarkBytes?: number;
  /** Queued bytes for a client above which its connection ends: its agent does not wait. */
  readonly maxQueuedBytes?: number;
  /** Bytes of each stream that are kept for a client that opens it again. Only for clients that can. */
  readonly maxKeptBytes?: number;
  /** How long messages wait for a client that reads nothing. After that its connection ends. */
  readonly stallTimeoutMs?: number;
  /** How long a connection lives without any stream, POST or WebSocket. */
  readonly graceMs?: number;
  /** How long the agent may take to respond to `initialize`. After that 504. */
  readonly initializeTimeoutMs?: number;
  /** How often a comment or ping is sent to a client that receives nothing else. */
  readonly keepAliveMs?: number;
  /** How long a WebSocket may be silent, pongs included. After that its connection ends. */
  readonly pongTimeoutMs?: number;
  /** How long the agent may go on when its client has closed the connection or the server ends. */
  readonly drainTimeoutMs?: number;
}

/** The named defaults of {@link ServerLimits}. */
export const acpHandlerDefaults: Required<ServerLimits> = {
  ...messageLimitDefaults,
  /** 16 MiB, as other implementations. */
  maxBodyBytes: 16_777_216,
  bodyTimeoutMs: 30_000,
  maxConnections: 10_000,
  maxConnectionsPerPrincipal: 10_000,
  maxSessionsPerConnection: 1_024,
  maxOpenRequests: 1_024,
  maxWaitingPosts: 256,
  postOrderTimeoutMs: 10_000,
  /** 256 KiB. */
  highWaterMarkBytes: 262_144,
  /** 64 MiB. */
  maxQueuedBytes: 67_108_864,
  /** 256 KiB. */
  maxKeptBytes: 262_144,
  stallTimeoutMs: 60_000,
  graceMs: 60_000,
  initializeTimeoutMs: 60_000,
  keepAliveMs: 15_000,
  pongTimeoutMs: 30_000,
  drainTimeoutMs: 1_000,
};

/** Who may use a server, and within which limits. The defaults let in programs and pages of this machine alone. */
export interface AcpHandlerOptions<P extends Principal = Principal> {
  /**
   * Authenticates each request; see {@link Authenticate}. Without it every caller is the same principal, and only requests to a loopback
   * host are accepted. `"none"` accepts unauthenticated requests to every host of `allowedHosts`.
   */
  readonly authenticate?: Authenticate<P> | "none";
  /**
   * Hosts that requests may name, with or without a port: this keeps a web page from reaching the server through a name of its own that resolves
   * to this machine. Default: `localhost` and the loopback addresses. `"any"` checks nothing.
   */
  readonly allowedHosts?: readonly string[] | "any";
  /** Origins of pages that may use the server from another origin, such as `https://app.example.com`. They get CORS headers. Default none. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: ServerLimits;
  /** Receives the diagnostics of connections whose agent has no listener of its own. */
  readonly onDiagnostic?: DiagnosticListener;
  /** Receives what `authenticate` or the choice of the agent has thrown. The client learns only that it failed. */
  readonly onError?: (error: unknown) => void;
}

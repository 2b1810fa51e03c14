import { type MessageLimits, messageLimitDefaults } from "@acp-kit/jsonrpc";
import type { ConnectionChange } from "./connection-change.js";
import type { CredentialsOptions } from "./credentials.js";

/** The part of `fetch` that the client uses: the platform's `fetch`, or your own function. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** The limits of a client that connects to a remote agent. {@link remoteAgentDefaults} has the default of each limit. */
export interface RemoteAgentLimits extends MessageLimits {
  /** The maximum size of a received message; a longer one is skipped and reported. */
  readonly maxMessageBytes?: number;
  /** The number of unsent bytes, one for each character of a message, above which `full` asks the sender to wait. */
  readonly highWaterMarkBytes?: number;
  /** The time in milliseconds until the response to a request begins, or until a WebSocket is open. */
  readonly responseTimeoutMs?: number;
  /** The time in milliseconds that the agent may take to respond to `initialize`. */
  readonly initializeTimeoutMs?: number;
  /** The time in milliseconds that a stream with keep-alives may be silent. After that time, the stream counts as broken. */
  readonly keepAliveTimeoutMs?: number;
  /** The time in milliseconds for which the client tries to reconnect, if the server can continue streams. */
  readonly reconnectTimeoutMs?: number;
  /** The longest pause in milliseconds between two attempts to reconnect. */
  readonly maxReconnectDelayMs?: number;
  /**
   * The number of POSTs that may be on their way at once, to a server that restores their order. To any other server,
   * the client sends one POST at a time.
   */
  readonly maxPostsInFlight?: number;
  /**
   * The time in milliseconds that a session's stream must be quiet until a load counts as complete, with a server that
   * does not mark the end of the replay.
   */
  readonly loadQuietMs?: number;
  /** The time in milliseconds that `close()` waits for queued messages to be sent. */
  readonly closeTimeoutMs?: number;
}

/** The default values of {@link RemoteAgentLimits}. */
export const remoteAgentDefaults: Required<RemoteAgentLimits> = {
  ...messageLimitDefaults,
  /** The default of `maxMessageBytes`: 64 MiB. */
  maxMessageBytes: 67_108_864,
  /** The default of `highWaterMarkBytes`: 256 KiB. */
  highWaterMarkBytes: 262_144,
  responseTimeoutMs: 30_000,
  initializeTimeoutMs: 60_000,
  keepAliveTimeoutMs: 45_000,
  reconnectTimeoutMs: 30_000,
  maxReconnectDelayMs: 2_000,
  maxPostsInFlight: 16,
  loadQuietMs: 50,
  closeTimeoutMs: 5_000,
};

/** Options of {@link httpAgent}. */
export interface HttpAgentOptions extends CredentialsOptions {
  /** The function that sends requests; by default the global `fetch`. */
  readonly fetch?: FetchLike;
  /** Whether a browser sends its cookies to another origin. The default is `same-origin`. */
  readonly credentials?: "omit" | "same-origin" | "include";
  /**
   * Whether a connection to a server that keeps sessions, such as a gateway, survives the loss of its sockets and a restart
   * of the server. The client connects again for `reconnectTimeoutMs`, calls stay pending, and no update is lost or delivered
   * twice. The default is `true`.
   */
  readonly reconnect?: boolean;
  /** Receives a report when the sockets are lost and when they are back, to show it to the user. */
  readonly onConnectionChange?: (change: ConnectionChange) => void;
  /** A signal that ends the connection and all later connections of the same object, with its reason as `cause`. */
  readonly signal?: AbortSignal;
  readonly limits?: RemoteAgentLimits;
}

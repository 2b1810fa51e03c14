import { type MessageLimits, messageLimitDefaults } from "@acp-kit/jsonrpc";
import type { CredentialsOptions } from "./credentials.js";

/** The part of `fetch` that is used: the platform's own, or one that is handed in. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** The limits of a client of a remote agent. Each has a default in {@link remoteAgentDefaults}. */
export interface RemoteAgentLimits extends MessageLimits {
  /** A longer message is skipped and reported. */
  readonly maxMessageBytes?: number;
  /** Queued bytes, one for each character of a message, above which `full` asks the sender to wait. */
  readonly highWaterMarkBytes?: number;
  /** How long a request may take until its response begins, and a WebSocket until it is open. */
  readonly responseTimeoutMs?: number;
  /** How long the agent may take to respond to `initialize`. */
  readonly initializeTimeoutMs?: number;
  /** How long a stream that the server keeps alive may be silent. After that it is taken for broken. */
  readonly keepAliveTimeoutMs?: number;
  /** How long reconnecting is tried, where the server lets streams continue. */
  readonly reconnectTimeoutMs?: number;
  /** The longest pause between two attempts to reconnect. */
  readonly maxReconnectDelayMs?: number;
  /** POSTs on their way at once, to a server that restores their order. To others it is one. */
  readonly maxPostsInFlight?: number;
  /** How long the stream of a session must be quiet until a load is taken for complete, with a server that does not mark the end of the replay. */
  readonly loadQuietMs?: number;
  /** How long `close()` waits for messages that were accepted for sending. */
  readonly closeTimeoutMs?: number;
}

/** The named defaults of {@link RemoteAgentLimits}. */
export const remoteAgentDefaults: Required<RemoteAgentLimits> = {
  ...messageLimitDefaults,
  /** 64 MiB. */
  maxMessageBytes: 67_108_864,
  /** 256 KiB. */
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

/** How a remote agent is reached over HTTP. */
export interface HttpAgentOptions extends CredentialsOptions {
  /** Default: the global `fetch`. */
  readonly fetch?: FetchLike;
  /** Whether a browser sends its cookies to another origin. Default `same-origin`. */
  readonly credentials?: "omit" | "same-origin" | "include";
  /** Ends the connection, and every later one of the same source, with its reason as `cause`. */
  readonly signal?: AbortSignal;
  readonly limits?: RemoteAgentLimits;
}

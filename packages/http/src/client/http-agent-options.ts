import type { MessageLimits } from "@acp-kit/jsonrpc";
import { limitsOf, messageLimitDefaults } from "@acp-kit/jsonrpc/internal";
import type { ConnectionChange } from "./connection-change.js";
import type { CredentialsOptions } from "./credentials.js";

/** The part of `fetch` that the client uses: the platform's `fetch`, or your own function. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** The limits of a client that connects to a remote agent. */
export interface RemoteAgentLimits {
  /** The maximum size of a received message. A larger one is skipped and reported. The default is 64 MiB. */
  readonly maxMessageBytes?: number;
  /** The milliseconds until an HTTP response begins, or a WebSocket is open. The default is 30,000. */
  readonly responseTimeoutMs?: number;
  /** The time in milliseconds that the agent may take to respond to `initialize`. The default is 60,000. */
  readonly initializeTimeoutMs?: number;
  /**
   * How long the client tries to reconnect to a server that continues streams, in ms. The default is 30,000.
   */
  readonly reconnectTimeoutMs?: number;
  /** The longest pause in milliseconds between two attempts to reconnect. The default is 2,000. */
  readonly maxReconnectDelayMs?: number;
  /** The time in milliseconds that `close()` waits until queued messages are sent. The default is 5,000. */
  readonly closeTimeoutMs?: number;
}

/** The default values of {@link RemoteAgentLimits}. */
export const remoteAgentDefaults: Required<RemoteAgentLimits> = {
  maxMessageBytes: 67_108_864,
  responseTimeoutMs: 30_000,
  initializeTimeoutMs: 60_000,
  reconnectTimeoutMs: 30_000,
  maxReconnectDelayMs: 2_000,
  closeTimeoutMs: 5_000,
};

/** With more unsent characters than this, `full` is a promise, and the sender should wait for it. */
const MAX_UNSENT_BYTES = 262_144;

/**
 * How long a stream may be silent, in milliseconds, if the server sends keep-alives in it. After that time, the stream
 * counts as broken.
 */
const KEEP_ALIVE_TIMEOUT_MS = 45_000;

/** All limits of a client. */
export type AllRemoteLimits = Required<RemoteAgentLimits> &
  Required<MessageLimits> & { readonly maxUnsentBytes: number; readonly keepAliveTimeoutMs: number };

/** Returns all limits of a client. @throws {TypeError} when a limit is unknown or not a number from 0 to `Infinity`. */
export function remoteLimitsOf(given: RemoteAgentLimits | undefined): AllRemoteLimits {
  return {
    ...messageLimitDefaults,
    maxUnsentBytes: MAX_UNSENT_BYTES,
    keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS,
    ...limitsOf("limits", remoteAgentDefaults, given),
  };
}

/** Options of {@link fetchAgent} and of `httpAgent` of `@acp-kit/http/node`. */
export interface HttpAgentOptions extends CredentialsOptions {
  /** The function that sends requests; by default the global `fetch`. */
  readonly fetch?: FetchLike;
  /** The option `credentials` of `fetch`: when a browser sends its cookies. The default is `same-origin`. */
  readonly credentials?: "omit" | "same-origin" | "include";
  /**
   * Whether a connection to a server that keeps sessions, such as a gateway, continues after the loss of its sockets or
   * a restart of the server. The client tries to connect again for `reconnectTimeoutMs`, calls stay pending, and no
   * update is lost or delivered twice. The default is `true`.
   */
  readonly reconnect?: boolean;
  /** Called when the sockets are lost and when the client has connected again, for display to the user. */
  readonly onConnectionChange?: (change: ConnectionChange) => void;
  /** When it aborts, all connections of this agent fail, with its reason as the `cause` of the `RemoteError`. */
  readonly signal?: AbortSignal;
  readonly limits?: RemoteAgentLimits;
}

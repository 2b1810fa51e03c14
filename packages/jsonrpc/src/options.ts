import type { DiagnosticListener } from "./diagnostic.js";
import type { FallbackRoutes } from "./handlers.js";
import type { RpcError } from "./rpc-error.js";
import type { Tap } from "./tap.js";

/** The default of every limit of a connection. */
export const connectionDefaults = {
  /** 0 means that a request has no deadline. `@acp-kit/protocol`, which knows the methods, sets deadlines. */
  requestTimeoutMs: 0,
  cancelTimeoutMs: 5_000,
  drainTimeoutMs: 5_000,
  closeTimeoutMs: 30_000,
  maxBacklogBytes: 4_194_304,
  maxOpenRequests: 10_000,
} as const;

/** Options of a {@link Connection}. {@link connectionDefaults} has the default of each limit. */
export interface ConnectionOptions {
  /**
   * Returns the key of a message's lane. Handlers of messages with the same key start in the order in which the
   * messages arrived. Each starts only when the handlers of earlier notifications have finished, and a request settles
   * only when the handlers of all notifications that arrived before its response have finished (for requests that a
   * handler sends, see `alwaysOrdered`). A message with the key `undefined` is not ordered. By default, all messages
   * share one lane.
   */
  readonly orderBy?: (method: string, params: unknown) => string | undefined;
  /** Finds handlers for methods without a registered handler. */
  readonly fallback?: FallbackRoutes;
  /**
   * Whether the connection responds with an error to input that is not a JSON-RPC message: `-32700` if it is not JSON,
   * `-32600` for other JSON. Set it to `false` for a peer that may print banners and log lines; the connection then
   * only reports and skips such input. Two kinds of input still get an error response, because their sender waits for
   * it: an invalid request that has a `jsonrpc` member, an id and a method, and an oversized request whose id can be
   * read. The default is `true`.
   */
  readonly respondToMalformed?: boolean;
  /**
   * Whether a request that arrives after `close()` was called, or whose handler has not started, gets a response: the
   * error `-32800`. With `false`, it gets none; when the connection ends, the peer may send the request again on
   * another connection. The default is `true`.
   */
  readonly respondWhileClosing?: boolean;
  /** The milliseconds after which a request without its own `timeoutMs` rejects; 0 means no deadline. */
  readonly requestTimeoutMs?: number;
  /** The milliseconds after which a cancelled request rejects with the signal's reason without a response. */
  readonly cancelTimeoutMs?: number;
  /** The milliseconds that handlers have after the peer has ended its output or the transport has failed. */
  readonly drainTimeoutMs?: number;
  /** The time in milliseconds that closing waits for the transport to flush queued messages. */
  readonly closeTimeoutMs?: number;
  /**
   * The number of bytes of received messages that wait for handlers, above which the connection pauses reading. While a
   * caller may be awaiting a response that the pause would delay, the connection reads on; above six times this number,
   * it ends with `backlog_full`.
   */
  readonly maxBacklogBytes?: number;
  /** The number of requests of the peer that can be open at the same time. Further requests get an error response. */
  readonly maxOpenRequests?: number;
  /**
   * Called when the peer sends an error response without an id and exactly one request is pending. The error then
   * rejects that request. Without this function, such a response belongs to no request, as JSON-RPC defines.
   */
  readonly onErrorWithoutId?: (() => void) | undefined;
  /**
   * Called when a notification arrives that has to wait for the handler of an earlier notification of its lane. The
   * notification is handled later as usual. An application can act on it immediately, for example on a cancel.
   */
  readonly onQueued?: ((method: string, params: unknown) => void) | undefined;
  readonly tap?: Tap;
  readonly onDiagnostic?: DiagnosticListener;
  /**
   * Called when the peer has ended its output, or the connection ends with `backlog_full`. Running handlers continue
   * until they finish or {@link drainTimeoutMs} have passed.
   */
  readonly onPeerEnded?: () => void;
}

/** The values of all limits of a connection. */
export type ConnectionLimits = { readonly [Name in keyof typeof connectionDefaults]: number };

/** Returns all limits: those in the options, and the defaults for the others. */
export function connectionLimitsOf(options: ConnectionOptions): ConnectionLimits {
  // Each limit is named, because a loop over the names is slower, and each new connection calls this function.
  const defaults = connectionDefaults;
  return {
    requestTimeoutMs: options.requestTimeoutMs ?? defaults.requestTimeoutMs,
    cancelTimeoutMs: options.cancelTimeoutMs ?? defaults.cancelTimeoutMs,
    drainTimeoutMs: options.drainTimeoutMs ?? defaults.drainTimeoutMs,
    closeTimeoutMs: options.closeTimeoutMs ?? defaults.closeTimeoutMs,
    maxBacklogBytes: options.maxBacklogBytes ?? defaults.maxBacklogBytes,
    maxOpenRequests: options.maxOpenRequests ?? defaults.maxOpenRequests,
  };
}

/** Options of one request. */
export interface RequestOptions<Result = unknown> {
  /**
   * A signal that cancels the request when it aborts. If it aborts before the request is sent, the request rejects with
   * the signal's reason. If it aborts later, the connection sends `$/cancel_request`, and the peer's response settles
   * the request. If no response arrives within `cancelTimeoutMs`, the request rejects with the signal's reason.
   */
  readonly signal?: AbortSignal | undefined;
  /** The milliseconds after which the request rejects with `ConnectionError` (`timeout`); 0 means no deadline. */
  readonly timeoutMs?: number | undefined;
  /** Checks and converts the result of the response. If it throws, the request rejects with that error. */
  readonly decode?: ((result: unknown) => Result) | undefined;
  /** Converts the error of an error response. The request rejects with what it returns or throws. */
  readonly readError?: ((error: RpcError) => unknown) | undefined;
  /**
   * Whether the order of the lane also applies to a request that a handler of this lane sends. The request then settles
   * only when the handlers of all notifications that arrived before its response have finished, and such a handler must
   * not await the response, because it would wait for itself. This also holds if the peer ends instead of responding.
   * By default, this request settles as soon as its response arrives, or the peer ends.
   */
  readonly alwaysOrdered?: boolean | undefined;
  /**
   * Called synchronously when the request settles, whether it resolves or rejects, before later messages are handled.
   * Code that awaits the request continues a few microtasks later. The function is not called for a request that could
   * not be sent.
   */
  readonly onSettled?: (() => void) | undefined;
}

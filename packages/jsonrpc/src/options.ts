import type { DiagnosticListener } from "./diagnostic.js";
import type { FallbackRoutes } from "./handlers.js";
import type { RpcError } from "./rpc-error.js";
import type { Tap } from "./tap.js";

/** The named defaults of every limit of a connection. */
export const connectionDefaults = {
  /** No deadline: a layer that knows the methods sets one. */
  requestTimeoutMs: 0,
  cancelTimeoutMs: 5_000,
  drainTimeoutMs: 5_000,
  closeTimeoutMs: 30_000,
  highWaterMarkBytes: 4_194_304,
  maxBacklogBytes: 25_165_824,
  stallTimeoutMs: 30_000,
  maxOpenRequests: 10_000,
} as const;

/** Options of a {@link Connection}. Every limit has a default in {@link connectionDefaults}. */
export interface ConnectionOptions {
  /**
   * Names the lane of a message: messages with the same key start in wire order, each notification after the previous one has
   * finished, and a response settles after everything that arrived before it. A message with the key `undefined` is not
   * ordered. By default all messages share one key.
   */
  readonly orderBy?: (method: string, params: unknown) => string | undefined;
  /** Handles methods without a handler of their own. */
  readonly fallback?: FallbackRoutes;
  /**
   * Respond with an error to input that is not a JSON-RPC message: `-32700` when it is not JSON, `-32600` for other JSON. Set
   * it to `false` for a process that may print banners and log lines: they are reported and skipped. Two kinds of input still
   * get an error response, because their sender waits: an invalid request that has a `jsonrpc` member, an id and a method, and
   * an oversized request whose id can be read. Default `true`.
   */
  readonly respondToMalformed?: boolean;
  /** Deadline of every request without one of its own, in milliseconds; 0 for none. */
  readonly requestTimeoutMs?: number;
  /** After the caller cancels a request: how long to wait for the peer's response before the request rejects with the signal's reason. */
  readonly cancelTimeoutMs?: number;
  /** How long running handlers may continue after the peer has ended its output or the transport has failed. */
  readonly drainTimeoutMs?: number;
  /** How long the end of the connection waits for the transport to flush queued messages. */
  readonly closeTimeoutMs?: number;
  /** Bytes of buffered messages above which reading pauses, unless the pause could block an awaited response. */
  readonly highWaterMarkBytes?: number;
  /** Bytes of buffered messages above which reading always pauses; reported as `backlog_full`. */
  readonly maxBacklogBytes?: number;
  /**
   * How long reading may pause at {@link maxBacklogBytes}, blocking awaited responses, without a handler finishing. After that the
   * requests that wait for those responses reject with `ConnectionError` (`backlog_full`), because a handler may be awaiting
   * one of them. 0 for ever.
   */
  readonly stallTimeoutMs?: number;
  /** Requests of the peer that may be open at once; further ones get an error response. */
  readonly maxOpenRequests?: number;
  /**
   * Called with an error response without an id, when exactly one request is open: the error then rejects that request. Without
   * this hook such a response belongs to no request, as JSON-RPC says.
   */
  readonly onErrorWithoutId?: (() => void) | undefined;
  readonly tap?: Tap;
  readonly onDiagnostic?: DiagnosticListener;
  /** Called when the peer has ended its output. Handlers continue until they finish or {@link drainTimeoutMs} is over. */
  readonly onPeerEnded?: () => void;
}

/** Every limit of a connection, with a value. */
export type ConnectionLimits = { readonly [Name in keyof typeof connectionDefaults]: number };

/** Returns the limits among the options, with defaults for the rest. */
export function limitsOf(options: ConnectionOptions): ConnectionLimits {
  const limits: { -readonly [Name in keyof ConnectionLimits]: number } = { ...connectionDefaults };
  for (const name of Object.keys(limits) as (keyof ConnectionLimits)[]) limits[name] = options[name] ?? limits[name];
  return limits;
}

/** Options of one request. */
export interface RequestOptions<Result = unknown> {
  /**
   * Aborting before the request is sent rejects with the signal's reason. Aborting later sends `$/cancel_request`, and the
   * peer's response settles the request; when none comes within `cancelTimeoutMs`, the request rejects with the reason.
   */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the request rejects with `ConnectionError` (`timeout`); 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** Decodes the result. An error it throws rejects the request. */
  readonly decode?: ((result: unknown) => Result) | undefined;
  /** Decodes the error that the peer responded with: what it returns or throws becomes the rejection. */
  readonly readError?: ((error: RpcError) => unknown) | undefined;
  /**
   * Settle after everything of the same lane that arrived before the response, even when the request was sent from inside a
   * handler of that lane. Such a handler must not await the response: it would wait for itself. Default `false`.
   */
  readonly alwaysOrdered?: boolean | undefined;
  /**
   * Called synchronously when the request settles, in any way, before messages behind the response are handled: the promise
   * itself resolves a few microtasks later. Not called for a request that could not be sent.
   */
  readonly onSettled?: (() => void) | undefined;
}

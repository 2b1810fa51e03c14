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

/** How a {@link Connection} behaves. Every limit has a default in {@link connectionDefaults}. */
export interface ConnectionOptions {
  /**
   * Which messages are ordered among each other: messages with the same key start in wire order, each notification after the one before
   * has finished, and a response settles after everything that arrived before it. `undefined` orders with nothing.
   * By default all messages share one key.
   */
  readonly orderBy?: (method: string, params: unknown) => string | undefined;
  /** Handlers of methods that have none of their own. */
  readonly fallback?: FallbackRoutes;
  /**
   * Answer input that is not a message: `-32700` for what is not JSON, `-32600` for JSON that is not a JSON-RPC message. Set it to `false` for a
   * process that may print banners and log lines: they are reported and skipped. A broken request is answered all the same when it has a `jsonrpc`
   * member, an id and a method, and an oversized one when its id can be read: their sender waits. Default `true`.
   */
  readonly answerMalformed?: boolean;
  /** Deadline of every request that doesn't bring its own, in milliseconds; 0 for none. */
  readonly requestTimeoutMs?: number;
  /** How long a request that its caller cancelled waits for the peer's answer before it rejects anyway. */
  readonly cancelTimeoutMs?: number;
  /** How long handlers may go on after the peer has ended its output or the transport has failed. */
  readonly drainTimeoutMs?: number;
  /** How long the end of the connection waits for the transport to write what it has accepted. */
  readonly closeTimeoutMs?: number;
  /** Bytes of waiting messages above which reading pauses, unless that could keep back an awaited answer. */
  readonly highWaterMarkBytes?: number;
  /** Bytes of waiting messages above which reading pauses whatever is awaited; reported as `backlog_full`. */
  readonly maxBacklogBytes?: number;
  /**
   * How long reading may pause at {@link maxBacklogBytes}, keeping back awaited answers, without a handler finishing: then the requests that wait for those
   * answers reject with `ConnectionError` (`backlog_full`), because one of them may be what the handlers wait for. 0 for ever.
   */
  readonly stallTimeoutMs?: number;
  /** Requests of the peer that may be open at once; more are answered with an error. */
  readonly maxOpenRequests?: number;
  /**
   * An error without an id is taken for the answer to the only request that is open, where there is just one, and this is called. Without this
   * hook it is what JSON-RPC makes of it: an answer to nothing.
   */
  readonly onErrorWithoutId?: (() => void) | undefined;
  readonly tap?: Tap;
  readonly onDiagnostic?: DiagnosticListener;
  /** The peer has ended its output. Handlers go on until they finish or {@link drainTimeoutMs} is over. */
  readonly onPeerEnded?: () => void;
}

/** Every limit of a connection, with a value. */
export type ConnectionLimits = { readonly [Name in keyof typeof connectionDefaults]: number };

/** The limits among the options, or their defaults. */
export function limitsOf(options: ConnectionOptions): ConnectionLimits {
  const limits: { -readonly [Name in keyof ConnectionLimits]: number } = { ...connectionDefaults };
  for (const name of Object.keys(limits) as (keyof ConnectionLimits)[]) limits[name] = options[name] ?? limits[name];
  return limits;
}

/** How one request behaves. */
export interface RequestOptions<Result = unknown> {
  /**
   * Aborting before the request is sent rejects with the signal's reason. Aborting later sends `$/cancel_request` and leaves the answer to the
   * peer; when none comes within `cancelTimeoutMs`, the request rejects with the reason.
   */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the request rejects with `ConnectionError` (`timeout`); 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** Reads the result. What it throws rejects the request. */
  readonly decode?: ((result: unknown) => Result) | undefined;
  /** Reads the error that the peer answered with: what it returns or throws is what the request rejects with. */
  readonly readError?: ((error: RpcError) => unknown) | undefined;
  /**
   * Settle after everything of the same lane that arrived before the answer, even when the request was sent from inside a handler of that
   * lane. Such a handler must not await the answer: it would wait for itself. Default `false`.
   */
  readonly alwaysOrdered?: boolean | undefined;
  /**
   * Called the moment the request settles, in whichever way, before anything that came behind the answer is handled: the promise tells a
   * few microtasks later. Not called for a request that could not be sent.
   */
  readonly onSettled?: (() => void) | undefined;
}

import type { RequestId } from "@acp-kit/jsonrpc";
import type { CallTypes, Part } from "@acp-kit/protocol";
import type { Seen, Side, WireMessage, WireNotification, WireRequest, WireResponse } from "../wire-message.js";

/** A handler returns this to leave its request without a response, for ever or until {@link ScriptedPeer.respond}. */
export const noResponse: unique symbol = Symbol("acp-kit.no-response");
export type NoResponse = typeof noResponse;

/** A running scripted peer, with everything that its test can do by hand. */
export interface ScriptedPeer<Calls extends CallTypes = CallTypes> extends AsyncDisposable {
  /** The role that is played. */
  readonly side: Side;
  /** Everything on the wire, both ways, in order. */
  readonly seen: readonly Seen[];
  /** Errors thrown by the script's own code; {@link close} throws the first, too. */
  readonly failures: readonly unknown[];
  /** Resolves when either side has ended the connection: with how that happened. */
  readonly closed: Promise<PeerEnd>;

  /**
   * Resolves with the next message of this method that no call of `received` has returned yet, now or later. With a function:
   * the next message that it accepts.
   *
   * @throws {Error} when the connection ends, or `timeoutMs` of real time pass (default 5 seconds), before it comes. The error
   * lists the messages that came instead.
   */
  received<Method extends keyof Calls["incomingRequests"] & string>(
    method: Method,
    options?: WaitOptions,
  ): Promise<WireRequest<Part<Calls["incomingRequests"], Method, "incomingParams">>>;
  received<Method extends keyof Calls["incomingNotifications"] & string>(
    method: Method,
    options?: WaitOptions,
  ): Promise<WireNotification<Part<Calls["incomingNotifications"], Method, "incomingParams">>>;
  received(what: string | ((message: WireMessage) => boolean), options?: WaitOptions): Promise<WireMessage>;

  /** Returns every message of this method so far, or every message; returned by `received` or not. */
  receivedSoFar(method?: string): readonly WireMessage[];

  /** Sends a request and resolves with the whole response, an error or not. `id` may be any JSON value: tests may use duplicates and wrong types. */
  request<Method extends keyof Calls["requests"] & string>(
    method: Method,
    params: Part<Calls["requests"], Method, "params">,
    options?: SendOptions,
  ): Promise<WireResponse<Part<Calls["requests"], Method, "incomingResult">>>;
  request(method: string, params?: unknown, options?: SendOptions): Promise<WireResponse>;
  /** Sends a notification. */
  notify(method: string, params?: unknown): void;
  /** Responds to a request: an open one, one that got its response already, or one that never existed. */
  respond(request: { readonly id: RequestId } | RequestId, result: unknown): void;
  /** Responds to a request with an error. */
  refuse(request: { readonly id: RequestId } | RequestId, code: number, message?: string, data?: unknown): void;

  /** Sends any JSON value, a valid message or not. */
  sendValue(value: unknown): void;
  /** Sends a line of text unchanged. Over a transport that can't write text only JSON works. */
  sendLine(text: string): void;
  /** Sends text or bytes without a line end: torn lines, several at once, invalid UTF-8. Needs a `RawTransport`. */
  sendText(text: string | Uint8Array): void;
  /** Everything that `send` sends arrives in one piece, as when a fast peer meets a slow reader. */
  together(send: () => void): void;

  /** From now on responses to requests of this method wait until they are released. */
  hold(method: string): HeldResponses;
  /** Resolves when the other side has handled everything sent before: it responds to an unknown method at once. */
  fence(): Promise<void>;

  /** Ends the output and keeps reading. Needs a `RawTransport`. */
  endOutput(): void;
  /** Breaks the connection as a cut cable would. Needs a `RawTransport`; over others it closes. */
  break(error?: unknown): void;
  /**
   * Closes the connection cleanly.
   *
   * @throws the first of {@link failures}, so that a failed assertion in a handler fails its test.
   */
  close(): Promise<void>;
}

/** Responses held back. Created by {@link ScriptedPeer.hold}. */
export interface HeldResponses {
  /** How many are held. */
  readonly waiting: number;
  /** Resolves when this many are held. */
  waitFor(count: number): Promise<void>;
  /** Releases the oldest, or that many of them. */
  release(count?: number): void;
  /** Releases all, and holds no more. */
  stop(): void;
}

/** How the connection of a scripted peer ended. */
export interface PeerEnd {
  /** `ended`: the other side ended its output. `failed`: the transport broke. `closed`: this side closed. */
  readonly how: "ended" | "failed" | "closed";
  readonly error?: unknown;
}

export interface WaitOptions {
  /** Milliseconds of real time. Default 5000. */
  readonly timeoutMs?: number;
}

export interface SendOptions {
  /** Default: `agent-1`, `agent-2`, …, or `client-1`, … */
  readonly id?: RequestId;
}

/** A message passed to a handler. `params` has the schema's type, unchecked. */
export interface IncomingMessage<Params = unknown> {
  /** `undefined` for a notification. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: Params;
  /** Aborts when the other side cancels the request (`$/cancel_request`), or has left. */
  readonly signal: AbortSignal;
}

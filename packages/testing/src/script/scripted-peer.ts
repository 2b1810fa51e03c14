import type { RequestId } from "@acp-kit/jsonrpc";
import type { CallTypes, Part } from "@acp-kit/protocol/internal";
import type { Seen, Side, WireMessage, WireNotification, WireRequest, WireResponse } from "../wire-message.js";

/** A handler returns it to send no response, or to send it later with {@link ScriptedPeer.respond}. */
export const noResponse: unique symbol = Symbol("acp-kit.no-response");
export type NoResponse = typeof noResponse;

/** A running scripted peer, with methods by which a test sends any message. */
export interface ScriptedPeer<Calls extends CallTypes = CallTypes> extends AsyncDisposable {
  /** The role that the script plays. */
  readonly side: Side;
  /** All messages that the peer has sent and received, in order. */
  readonly seen: readonly Seen[];
  /** The errors that the script's own code has thrown; {@link close} rejects with them, too. */
  readonly failures: readonly unknown[];
  /** A promise that resolves with the reason when either side has ended the connection. */
  readonly closed: Promise<PeerEnd>;

  /**
   * Resolves with the next message of this method that no earlier call of `received` has returned. With a function
   * instead of a method, it resolves with the next message for which the function returns `true`.
   *
   * @throws {Error} when the connection ends, or `timeoutMs` of real time pass (default 5 seconds), before such a
   * message arrives. The error lists the messages that arrived instead.
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

  /** Returns all received messages of a method; without `method`, all received messages. */
  receivedSoFar(method?: string): readonly WireMessage[];
  /**
   * Returns the last received message of a method.
   *
   * @throws {Error} when no such message has arrived. The error lists the messages that arrived instead.
   */
  lastReceived(method: string): WireRequest;
  /** Returns the first received response with this id, any JSON value, or `undefined` if none has arrived. */
  responseTo(id: unknown): WireResponse | undefined;
  /**
   * Ignores the messages that have arrived so far: from now on, the methods above return only later messages. {@link
   * seen} keeps all messages.
   */
  forget(): void;

  /**
   * Sends a request and resolves with the response, a result or an error. `id` may be any JSON value. The promise has
   * the id of the request.
   */
  request<Method extends keyof Calls["requests"] & string>(
    method: Method,
    params: Part<Calls["requests"], Method, "params">,
    options?: SendOptions,
  ): SentRequest<Part<Calls["requests"], Method, "incomingResult">>;
  request(method: string, params?: unknown, options?: SendOptions): SentRequest;
  /** Sends a notification. */
  notify(method: string, params?: unknown): void;
  /** Responds to a request. Also if the request already has a response, or does not exist. */
  respond(request: { readonly id: RequestId } | RequestId, result: unknown): void;
  /** Responds to a request with an error. */
  refuse(request: { readonly id: RequestId } | RequestId, code: number, message?: string, data?: unknown): void;

  /** Sends messages with any members, in one tick. Adds `jsonrpc: "2.0"` to a message without this member. */
  send(...messages: readonly object[]): void;
  /** Sends any JSON value, whether or not it is a valid message. */
  sendValue(value: unknown): void;
  /** Sends a line of text unchanged. Over a transport that can't write text, only JSON can be sent. */
  sendLine(text: string): void;
  /** Sends text or bytes without a line end, or invalid UTF-8. This method needs a `RawTransport`. */
  sendText(text: string | Uint8Array): void;
  /** Sends all messages of `send` in one piece, as a fast peer does to a slow reader. */
  together(send: () => void): void;

  /** Holds back the responses to requests of this method until they are released. */
  hold(method: string): HeldResponses;
  /** Resolves when the other side has handled all messages that this peer sent before the call. */
  fence(): Promise<void>;

  /** Ends the output of this peer, which continues to read. This method needs a `RawTransport`. */
  endOutput(): void;
  /**
   * Breaks the connection, as a cut network cable would. This method needs a `RawTransport`.
   */
  break(error?: unknown): void;
  /**
   * Closes the connection cleanly.
   *
   * @throws the error in {@link failures}, or an `AggregateError` if there are several, so that a failed assertion in a
   * handler fails its test.
   */
  close(): Promise<void>;
}

/** The responses that a scripted peer holds back. {@link ScriptedPeer.hold} returns this object. */
export interface HeldResponses {
  /** The number of responses that are held back. */
  readonly waiting: number;
  /**
   * Resolves when this many responses are held back.
   *
   * @throws {Error} when the connection ends before.
   */
  waitFor(count: number): Promise<void>;
  /** Releases the oldest response, or the given number of responses. */
  release(count?: number): void;
  /** Releases all responses, and does not hold back later responses. */
  stop(): void;
}

/** How the connection of a scripted peer ended. */
export interface PeerEnd {
  /** `ended`: the other side ended its output. `failed`: the transport broke. `closed`: this side closed. */
  readonly how: "ended" | "failed" | "closed";
  readonly error?: unknown;
}

export interface WaitOptions {
  /** The maximum time to wait, in milliseconds of real time. The default is 5,000. */
  readonly timeoutMs?: number;
}

export interface SendOptions {
  /** The id of the request. The default is `agent-1`, …, or `client-1`, …; for raw peers, a number from 1. */
  readonly id?: RequestId;
}

/** The promise for the response to a request. */
export interface SentRequest<Result = unknown> extends Promise<WireResponse<Result>> {
  /** The id of the request. */
  readonly id: RequestId;
}

/** A message passed to a handler. `params` has the schema's type, unchecked. */
export interface IncomingMessage<Params = unknown> {
  /** `undefined` for a notification. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: Params;
  /** Aborts when the other side cancels the request (`$/cancel_request`), or when the connection to it has ended. */
  readonly signal: AbortSignal;
}

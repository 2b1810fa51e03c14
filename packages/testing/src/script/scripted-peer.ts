import type { RequestId } from "@acp-kit/jsonrpc";
import type { CallTypes, Part } from "@acp-kit/protocol";
import type { Seen, Side, WireMessage, WireNotification, WireRequest, WireResponse } from "../wire-message.js";

/** A handler returns this to leave its request without an answer, for ever or until {@link ScriptedPeer.respond}. */
export const noAnswer: unique symbol = Symbol("acp-kit.no-answer");
export type NoAnswer = typeof noAnswer;

/** Where a peer that is played by a script stands, and everything that its test can do by hand. */
export interface ScriptedPeer<Calls extends CallTypes = CallTypes> extends AsyncDisposable {
  /** The role that is played. */
  readonly side: Side;
  /** Everything that crossed the wire, both ways, in order. */
  readonly seen: readonly Seen[];
  /** What the script's own code has thrown; {@link close} throws it, too. */
  readonly failures: readonly unknown[];
  /** Resolves when the other side has gone, or this one has: with how that happened. */
  readonly closed: Promise<PeerEnd>;

  /**
   * The next message of this method that no call of `received` has returned yet, now or later. With a function: the next that it likes.
   *
   * @throws {Error} when the connection ends, or `timeoutMs` of real time pass (5 seconds unless told), before it comes. It says what came instead.
   */
  received<Method extends keyof Calls["handles"] & string>(
    method: Method,
    options?: WaitOptions,
  ): Promise<WireRequest<Part<Calls["handles"], Method, "incomingParams">>>;
  received<Method extends keyof Calls["hears"] & string>(
    method: Method,
    options?: WaitOptions,
  ): Promise<WireNotification<Part<Calls["hears"], Method, "incomingParams">>>;
  received(what: string | ((message: WireMessage) => boolean), options?: WaitOptions): Promise<WireMessage>;

  /** Every message of this method so far, or every message; returned by `received` or not. */
  receivedSoFar(method?: string): readonly WireMessage[];

  /** Sends a request and resolves with the whole response, an error or not. `id` may be any JSON value: duplicates and wrong types are the test's right. */
  request<Method extends keyof Calls["requests"] & string>(
    method: Method,
    params: Part<Calls["requests"], Method, "params">,
    options?: SendOptions,
  ): Promise<WireResponse<Part<Calls["requests"], Method, "incomingResult">>>;
  request(method: string, params?: unknown, options?: SendOptions): Promise<WireResponse>;
  /** Sends a notification. */
  notify(method: string, params?: unknown): void;
  /** Answers a request: one that was left open, one that was answered already, or one that never was. */
  respond(request: { readonly id: RequestId } | RequestId, result: unknown): void;
  /** Answers a request with an error. */
  refuse(request: { readonly id: RequestId } | RequestId, code: number, message?: string, data?: unknown): void;

  /** Sends any JSON value, message or not. */
  sendValue(value: unknown): void;
  /** Sends a line of text as it is. Over a transport that can't write text only JSON works. */
  sendLine(text: string): void;
  /** Sends text or bytes without a line's end: torn lines, several at once, no UTF-8. Needs a `RawTransport`. */
  sendText(text: string | Uint8Array): void;
  /** Whatever `send` sends arrives in one piece, as when a fast peer meets a slow reader. */
  together(send: () => void): void;

  /** From now on answers to requests of this method wait until they are released. */
  hold(method: string): HeldAnswers;
  /** Resolves when the other side has handled everything sent before: it answers an unknown method at once. */
  fence(): Promise<void>;

  /** Ends the output and reads on. Needs a `RawTransport`. */
  endOutput(): void;
  /** Breaks the connection as a cut cable does. Needs a `RawTransport`; over others it closes. */
  break(error?: unknown): void;
  /**
   * Goes away in order.
   *
   * @throws the first of {@link failures}, so that an assertion in a handler fails its test.
   */
  close(): Promise<void>;
}

/** Answers that wait. Made by {@link ScriptedPeer.hold}. */
export interface HeldAnswers {
  /** How many wait. */
  readonly waiting: number;
  /** Resolves when this many wait. */
  waitFor(count: number): Promise<void>;
  /** Lets the oldest go, or that many of them. */
  release(count?: number): void;
  /** Lets all go, and holds no more. */
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

/** A message that a handler is called with. `params` has the type that the schema gives it, unchecked. */
export interface IncomingMessage<Params = unknown> {
  /** `undefined` for a notification. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: Params;
  /** Aborts when the other side cancels the request (`$/cancel_request`), or has gone. */
  readonly signal: AbortSignal;
}

import type { Transport } from "@acp-kit/jsonrpc";
import type { CallTypes, Part } from "@acp-kit/protocol";
import type { Clock } from "../clock.js";
import type { RawTransport } from "../raw-transport.js";
import type { Side } from "../wire-message.js";
import type { IncomingMessage, NoAnswer } from "./scripted-peer.js";

/** How a script is played. */
export interface ScriptOptions {
  /** The time of `seen` and of `pause`. Default: real time. */
  readonly clock?: Clock;
}

/**
 * What a peer does, written down before it does it: which message brings about what. It is played as often as it is connected, each time
 * from the start, with the same ids.
 *
 * A script speaks the wire itself and checks nothing: it may answer twice, in the wrong order, with nonsense, or not at all.
 */
export interface Script<Calls extends CallTypes, Peer> {
  readonly side: Side;
  /**
   * What a request is answered with, or what a notification brings about. A value is the result; a function returns it, throws an `RpcError`
   * to refuse, or returns `noAnswer`. The last one for a method wins. What nobody answers is refused with `-32601`.
   */
  on<Method extends keyof Calls["handles"] & string>(
    method: Method,
    answer:
      | Part<Calls["handles"], Method, "result">
      | ScriptHandler<Part<Calls["handles"], Method, "incomingParams">, Part<Calls["handles"], Method, "result">, Peer>,
  ): this;
  on<Method extends keyof Calls["hears"] & string>(
    method: Method,
    hear: ScriptHandler<Part<Calls["hears"], Method, "incomingParams">, void, Peer>,
  ): this;
  on(method: string, answer: object | null | ScriptHandler<unknown, unknown, Peer>): this;
  /** Plays it over a transport, which belongs to the peer from now on. */
  connect(transport: Transport): Peer;
  /** Plays it at one end of an in-memory pair; the other end is `transport`. */
  inMemory(): Peer & { readonly transport: RawTransport };
}

/** What a script does about a message. */
export type ScriptHandler<Params, Result, Peer> = (
  message: IncomingMessage<Params>,
  peer: Peer,
) => Later<Result | NoAnswer>;

/** A value or nothing, now or later: what functions that return something in some cases return. */
export type Later<T> = T | Nothing | PromiseLike<T | Nothing>;
type Nothing = ReturnType<() => void>;

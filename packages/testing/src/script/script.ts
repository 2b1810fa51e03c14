import type { Transport } from "@acp-kit/jsonrpc";
import type { CallTypes, Part } from "@acp-kit/protocol";
import type { Clock } from "../clock.js";
import type { RawTransport } from "../raw-transport.js";
import type { Side } from "../wire-message.js";
import type { IncomingMessage, NoAnswer } from "./scripted-peer.js";

/** Options of a running script. */
export interface ScriptOptions {
  /** The time of `seen` and of `pause`. Default: real time. */
  readonly clock?: Clock;
}

/**
 * The behaviour of a peer, defined in advance: a reaction to each message. It can be connected any number of times, each time
 * from the start, with the same ids.
 *
 * A script writes raw messages and checks nothing: it may respond twice, in the wrong order, with invalid data, or not at all.
 */
export interface Script<Calls extends CallTypes, Peer> {
  readonly side: Side;
  /**
   * Handles requests or notifications of a method. A value is the result; a function returns it, throws an `RpcError` to
   * refuse, or returns `noAnswer`. The last one for a method wins. Requests without a handler are refused with `-32601`.
   */
  on<Method extends keyof Calls["incomingRequests"] & string>(
    method: Method,
    answer:
      | Part<Calls["incomingRequests"], Method, "result">
      | ScriptHandler<
          Part<Calls["incomingRequests"], Method, "incomingParams">,
          Part<Calls["incomingRequests"], Method, "result">,
          Peer
        >,
  ): this;
  on<Method extends keyof Calls["incomingNotifications"] & string>(
    method: Method,
    hear: ScriptHandler<Part<Calls["incomingNotifications"], Method, "incomingParams">, void, Peer>,
  ): this;
  on(method: string, answer: object | null | ScriptHandler<unknown, unknown, Peer>): this;
  /** Runs it over a transport, which belongs to the peer from now on. */
  connect(transport: Transport): Peer;
  /** Runs it at one end of an in-memory pair; the other end is `transport`. */
  inMemory(): Peer & { readonly transport: RawTransport };
}

/** A script's reaction to a message. */
export type ScriptHandler<Params, Result, Peer> = (
  message: IncomingMessage<Params>,
  peer: Peer,
) => Later<Result | NoAnswer>;

/** A value or nothing, sync or async: for functions that return a value only in some cases. */
export type Later<T> = T | Nothing | PromiseLike<T | Nothing>;
type Nothing = ReturnType<() => void>;

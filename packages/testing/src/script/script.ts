import type { Transport } from "@acp-kit/jsonrpc";
import type { OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { CallTypes, Part } from "@acp-kit/protocol/internal";
import type { Clock } from "../clock.js";
import type { RawTransport } from "../raw-transport.js";
import type { Side } from "../wire-message.js";
import type { IncomingMessage, NoResponse } from "./scripted-peer.js";

/** Options of a running script. */
export interface ScriptOptions {
  /** The clock for the times in `seen` and for `pause`. By default, this is the real time. */
  readonly clock?: Clock;
}

/** The kinds of the options, for their check. */
export const scriptOptionKinds: OptionKinds<ScriptOptions> = { clock: "value" };

/**
 * The behaviour of a scripted peer: a reaction to each message. A script can be connected any number of times, and
 * starts each time from the beginning, with the same ids.
 *
 * A script sends raw messages and checks nothing: it may respond twice, in the wrong order, with invalid data, or not
 * at all.
 */
export interface Script<Calls extends CallTypes, Peer> {
  readonly side: Side;
  /**
   * Handles the requests or notifications of a method. A plain value is the result; a function returns the result,
   * throws an `RpcError`, or returns `noResponse`. A later handler for the same method replaces an earlier one.
   * Requests without a handler get the error `-32601`.
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
  /** Runs the script over a transport, which then belongs to the scripted peer. */
  connect(transport: Transport): Peer;
  /** Runs the script in the current process; `transport` is the other end, for your agent or client. */
  inMemory(): Peer & { readonly transport: RawTransport };
}

/** The reaction of a script to a message. */
export type ScriptHandler<Params, Result, Peer> = (
  message: IncomingMessage<Params>,
  peer: Peer,
) => Later<Result | NoResponse>;

/** The result of a handler: a value or nothing, returned immediately or as a promise. */
export type Later<T> = T | Nothing | PromiseLike<T | Nothing>;
type Nothing = ReturnType<() => void>;

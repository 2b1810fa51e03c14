import type { RpcError } from "@acp-kit/jsonrpc";
import type { MethodInfo } from "@acp-kit/types";
import type { Decoder } from "@acp-kit/types/decode";

/**
 * The role of a peer in one protocol version: the methods that it handles and calls, and their decoders. The member
 * `~calls` exists only for the compiler and contains the types of the methods.
 */
export interface PeerRole<Calls extends CallTypes = CallTypes> {
  readonly side: "agent" | "client";
  readonly protocolVersion: number;
  /** The methods that this role calls, with the capability that each needs. */
  readonly calls: readonly Readonly<Record<string, Pick<MethodInfo, "capability">>>[];
  readonly decoders: {
    readonly params: Readonly<Record<string, Decoder<unknown>>>;
    readonly results: Readonly<Record<string, Decoder<unknown>>>;
  };
  /**
   * The methods whose requests settle only when all updates that arrived before the response have been handled, even if
   * the request was sent by the handler of an update.
   */
  readonly ordered?: ReadonlySet<string> | undefined;
  /**
   * How this role writes and reads the messages whose form differs from the form that callers and handlers use. Without
   * it, the forms are equal. With it, `calls`, `ordered` and `decoders` have these keys: `calls` and `ordered` the
   * methods of the callers, `decoders` those of the messages.
   */
  readonly wire?: WireForm | undefined;
  /** Converts the error of a response to the error with which the request rejects. */
  readonly readError?: ((method: string, error: RpcError) => unknown) | undefined;
  /** @internal types only */
  readonly "~calls"?: Calls;
}

/**
 * Converters between the form of the messages of one protocol version and the form that callers and handlers use. They
 * don't change the objects that they get.
 */
export interface WireForm {
  /** The methods that this role calls, by the names that callers use. Other methods are sent as they are. */
  readonly calls: Readonly<Record<string, WireCall>>;
  /** The requests that this role handles, by their names in messages. Other methods reach the handler of their name. */
  readonly handlers: Readonly<Record<string, WireHandler>>;
}

/** How a request or notification is sent. */
export interface WireCall {
  /** The name of the method in messages. By default, it is the name that callers use. */
  readonly method?: string;
  /** Converts the params of the caller. An error that it throws rejects the request, and nothing is sent. */
  readonly params?: (params: never) => unknown;
  /** Converts the decoded result for the caller. */
  readonly result?: (result: never) => unknown;
}

/** How a received request reaches its handler. */
export interface WireHandler {
  /** The method whose handler is called, or a function that selects it. By default, it is the name in the message. */
  readonly method?: string | ((params: never) => string);
  /** Converts the decoded params for the handler. The peer gets an `RpcError` that it throws. */
  readonly params?: (params: never) => unknown;
  /** Converts the result of the handler. `params` are those that the handler got. */
  readonly result?: (result: never, params: never) => unknown;
}

/**
 * The types of the methods of a role. Each member maps method names to
 * `{ params, incomingParams, result, incomingResult }`.
 */
export interface CallTypes {
  /** The requests that this role sends. */
  readonly requests: object;
  /** The notifications that this role sends. */
  readonly notifications: object;
  /** The requests that this role receives. */
  readonly incomingRequests: object;
  /** The notifications that this role receives. */
  readonly incomingNotifications: object;
}

/**
 * One part of the types of a method, such as `Part<ClientRequests, "fs/read_text_file", "params">`. The type is an
 * indexed access type and not a conditional type, because only then TypeScript checks the literals that a handler
 * returns.
 */
export type Part<Map, Method extends keyof Map, Name extends string> = Map[Method][Name & keyof Map[Method]];

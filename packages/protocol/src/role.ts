import type { RpcError } from "@acp-kit/jsonrpc";
import type { MethodInfo } from "@acp-kit/types";
import type { Decoder } from "@acp-kit/types/decode";

/**
 * One side of one protocol version, as data: the methods it handles, the methods it calls, and the decoders for both.
 * It carries the types of its calls in a phantom member that does not exist at run time.
 */
export interface PeerRole<Calls extends CallTypes = CallTypes> {
  readonly side: "agent" | "client";
  readonly protocolVersion: number;
  /** The methods that this side calls, with the capability that each needs. */
  readonly calls: readonly Readonly<Record<string, Pick<MethodInfo, "capability">>>[];
  readonly decoders: {
    readonly params: Readonly<Record<string, Decoder<unknown>>>;
    readonly results: Readonly<Record<string, Decoder<unknown>>>;
  };
  /** Maps the error in a response to an error to reject the request with. */
  readonly readError?: ((method: string, error: RpcError) => unknown) | undefined;
  /** @internal types only */
  readonly "~calls"?: Calls;
}

/** The typed calls of a role: maps from method to `{ params, incomingParams, result, incomingResult }`. */
export interface CallTypes {
  /** Requests this side sends. */
  readonly requests: object;
  /** Notifications this side sends. */
  readonly notifications: object;
  /** Requests this side receives. */
  readonly incomingRequests: object;
  /** Notifications this side receives. */
  readonly incomingNotifications: object;
}

/**
 * One part of a call: `Part<ClientRequests, "fs/read_text_file", "params">`. An indexed access and not a conditional type, so that
 * what a handler returns is checked against it literal by literal.
 */
export type Part<Map, Method extends keyof Map, Name extends string> = Map[Method][Name & keyof Map[Method]];

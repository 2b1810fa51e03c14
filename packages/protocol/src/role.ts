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
  /** Converts the error of a response to the error with which the request rejects. */
  readonly readError?: ((method: string, error: RpcError) => unknown) | undefined;
  /** @internal types only */
  readonly "~calls"?: Calls;
}

/**
 * The types of the methods of a role. Each member maps method names to `{ params, incomingParams, result,
 * incomingResult }`.
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

import type { RpcError } from "@acp-kit/jsonrpc";
import type { MethodInfo } from "@acp-kit/types";
import type { Decoder } from "@acp-kit/types/decode";

/**
 * One side of one protocol version, as data: which methods it handles, which it calls, and how it reads what arrives.
 * The types of its calls travel with it as phantom members; they are never there at run time.
 */
export interface PeerRole<Calls extends CallTypes = CallTypes> {
  readonly side: "agent" | "client";
  readonly protocolVersion: number;
  /** What is known about the methods that this side calls: the gates are in it. */
  readonly calls: readonly Readonly<Record<string, Pick<MethodInfo, "capability">>>[];
  readonly decoders: {
    readonly params: Readonly<Record<string, Decoder<unknown>>>;
    readonly results: Readonly<Record<string, Decoder<unknown>>>;
  };
  /** Reads the error that a request of ours was answered with; the request rejects with what it returns. */
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
  /** Requests this side answers. */
  readonly handles: object;
  /** Notifications this side hears. */
  readonly hears: object;
}

/**
 * One part of a call: `Part<ClientRequests, "fs/read_text_file", "params">`. An indexed access and not a conditional type, so that
 * what a handler returns is checked against it literal by literal.
 */
export type Part<Map, Method extends keyof Map, Name extends string> = Map[Method][Name & keyof Map[Method]];

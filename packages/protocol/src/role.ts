import type { Decoder } from "@acp-kit/schema/decode";

/**
 * One side of one protocol version, as data: which methods it handles, which it calls, and how it reads what arrives.
 * The types of its calls travel with it as phantom members; they are never there at run time.
 */
export interface Role<Calls extends CallTypes = CallTypes> {
  readonly side: "agent" | "client";
  readonly protocolVersion: number;
  readonly methods: Readonly<Record<string, RoleMethod>>;
  readonly decoders: {
    readonly params: Readonly<Record<string, Decoder<unknown>>>;
    readonly results: Readonly<Record<string, Decoder<unknown>>>;
  };
  /** @internal types only */
  readonly "~calls"?: Calls;
}

/** What a role has to know about a method. */
export interface RoleMethod {
  /** Who handles it. */
  readonly side: "agent" | "client" | "protocol" | "proxy";
  readonly kind: "request" | "notification";
  /** What its handler must have advertised: `clientCapabilities.fs.readTextFile`. */
  readonly capability?: string | undefined;
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

/** One part of a call: `Part<ClientRequests, "fs/read_text_file", "params">`. */
export type Part<Map, Method extends keyof Map, Name extends string> =
  Map[Method] extends Readonly<Record<Name, infer Type>> ? Type : never;

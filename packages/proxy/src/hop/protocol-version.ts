import type { DecoderTable, MethodGates } from "@acp-kit/types/decode";
import type { Side } from "./side.js";

/** A version of the protocol, as far as a proxy depends on it. */
export interface ProtocolVersion {
  readonly version: 1 | 2;
  /** The methods that each side sends. */
  readonly requests: Record<Side, object>;
  readonly notifications: Record<Side, object>;
  readonly isKnownUpdate: (update: never) => boolean;
  /** The decoders of what each side receives. */
  readonly decoders: Record<Side, DecoderTable>;
  readonly gates: Record<Side, MethodGates>;
  /** The members of `initialize` in which each side advertises its capabilities. */
  readonly capabilityMembers: Record<Side, string>;
  /**
   * The result of a prompt whose turn was cancelled before the agent got it. Without it, the response is the error of a
   * cancelled request.
   */
  readonly cancelledPrompt: { readonly result: unknown } | undefined;
}

import type { Diagnostic } from "@acp-kit/protocol";
import type { ClientCapabilities } from "@acp-kit/types";
import type { ClientPeer } from "../client-peer.js";
import type { SessionRouter } from "../session/session-router.js";
import type { Sessions } from "../session/sessions.js";
import type { ExtendTranscript } from "../transcript/transcript-extension.js";

/**
 * A feature of the protocol that is not stable yet, for the option `unstable` of `connectAgent`. The entry
 * `@acp-kit/client/unstable` exports the features; they may change in any release.
 *
 * @experimental
 */
export interface UnstableFeature {
  readonly name: string;
}

/** What a feature adds to a client. No two features have the same part. */
export interface ClientFeature extends UnstableFeature {
  /** The capabilities that the client advertises for the feature. */
  readonly capabilities?: ClientCapabilities;
  readonly extendTranscript?: ExtendTranscript;
  /** Routes messages of the agent that `sessions` alone can't route. */
  readonly routes?: (sessions: Sessions, report: (diagnostic: Diagnostic) => void) => SessionRouter;
  /** Registers handlers of a connection before it reads messages. */
  readonly connect?: (peer: ClientPeer) => void;
}

/** Returns a feature without its parts in the type. */
export function feature(parts: ClientFeature): UnstableFeature {
  return parts;
}

import type { ConnectionLimits } from "@acp-kit/protocol";

/** The limits of a client, in addition to those of its connection. The named defaults are in {@link clientDefaults}. */
export interface ClientLimits extends ConnectionLimits {
  /** Updates that arrive before the response that creates their session. */
  readonly maxEarlyUpdates?: number;
  /** Buffered updates outside turns, while a session has no listener. */
  readonly maxBufferedUpdates?: number;
  /** Buffered updates of a turn before it is read. Once a reader has begun, the connection pauses instead. */
  readonly maxUnreadUpdates?: number;
  /** Bytes on the wire of each of these three: few updates can be large. Counted per connection, per session and per turn. */
  readonly maxBufferedBytes?: number;
  /** Entries of `agent.permissionDecisions`. */
  readonly maxPermissionDecisions?: number;
}

/** The named defaults of a client. */
export const clientDefaults = {
  maxEarlyUpdates: 10_000,
  maxBufferedUpdates: 10_000,
  maxUnreadUpdates: 10_000,
  maxBufferedBytes: 16_777_216,
  maxPermissionDecisions: 1_000,
  /** How long the agent may take to end a cancelled turn, in milliseconds. */
  cancelTimeoutMs: 30_000,
} as const;

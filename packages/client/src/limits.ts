import type { ConnectionLimits } from "@acp-kit/protocol";

/** The limits of a client, beside those of its connection. The named defaults are in {@link clientDefaults}. */
export interface ClientLimits extends ConnectionLimits {
  /** Updates that may come before the response that creates their session. */
  readonly maxEarlyUpdates?: number;
  /** Updates outside turns that are kept while nobody listens to a session. */
  readonly maxUnheardUpdates?: number;
  /** Updates of a turn that are kept until somebody starts to read it. Who reads then is never outrun: reading pauses instead. */
  readonly maxUnreadUpdates?: number;
  /** Bytes on the wire of what is kept in each of these three ways: few updates can be large. Those of unheard and unread ones count by session and turn. */
  readonly maxKeptBytes?: number;
  /** Decisions about permissions that are kept in `agent.permissionDecisions`. */
  readonly maxPermissionDecisions?: number;
}

/** The named defaults of a client. */
export const clientDefaults = {
  maxEarlyUpdates: 10_000,
  maxUnheardUpdates: 10_000,
  maxUnreadUpdates: 10_000,
  maxKeptBytes: 16_777_216,
  maxPermissionDecisions: 1_000,
  /** How long a cancelled turn may go unanswered, in milliseconds. */
  cancelTimeoutMs: 30_000,
} as const;

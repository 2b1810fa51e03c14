import type { ConnectionLimits } from "@acp-kit/protocol/internal";

/**
 * The limits of a client, in addition to the limits of its connection. {@link clientDefaults} has the default of each
 * limit.
 */
export interface ClientLimits extends ConnectionLimits {
  /** The number of updates that the client buffers when they arrive before the response that creates their session. */
  readonly maxEarlyUpdates?: number;
  /**
   * The maximum number of updates that a session buffers while it has no listener. A session buffers only updates that
   * belong to no prompt of this client; if the buffer is full, further updates are dropped and reported.
   */
  readonly maxBufferedUpdates?: number;
  /**
   * The number of updates of a turn that the client buffers before the application begins to read the turn; if more
   * arrive, reading throws. Once the application reads the turn, a full buffer pauses the connection instead.
   */
  readonly maxUnreadUpdates?: number;
  /**
   * The maximum number of bytes in each buffer of updates, because a few updates can be large. The limit applies to the
   * early updates of the client, to the buffered updates of each session, and to the unread updates of each turn.
   */
  readonly maxBufferedBytes?: number;
  /** The number of decisions that `agent.permissionDecisions` keeps. */
  readonly maxPermissionDecisions?: number;
}

/** The default limits of a client. */
export const clientDefaults = {
  maxEarlyUpdates: 10_000,
  maxBufferedUpdates: 10_000,
  maxUnreadUpdates: 10_000,
  maxBufferedBytes: 16_777_216,
  maxPermissionDecisions: 1_000,
  /** The time in milliseconds that an agent has to respond to a cancelled prompt. */
  cancelTimeoutMs: 30_000,
} as const;

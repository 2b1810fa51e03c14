/** The limits of a gateway. {@link gatewayLimitDefaults} has the default of each limit. */
export interface GatewayLimits {
  /**
   * The open connections of a principal. A second limit of the same size counts the principal's clients that lost their
   * connection and may reconnect.
   */
  readonly maxConnectionsPerPrincipal: number;
  /** The sessions of a principal, including sleeping ones. */
  readonly maxSessions: number;
  /** The running agents of a principal on a replica. */
  readonly maxAgents: number;
  /** The prompts that wait for the running turn of a session. */
  readonly maxQueuedPrompts: number;
  /**
   * The memory, in bytes, of a connection's attachments and requests without a response, of the prompts that wait for
   * the running turn of a session, and of the messages that its agent does not read. A principal may hold twice as
   * much, an observer as much as one connection, and all principals of a replica together eight times as much. The
   * parts of journals that a principal's clients have not read have the same limits, in a separate count.
   */
  readonly maxQueuedBytes: number;
  /** The pending requests of an agent in one session. */
  readonly maxOpenRequests: number;
}

/** The named defaults of {@link GatewayLimits}. */
export const gatewayLimitDefaults: GatewayLimits = {
  maxConnectionsPerPrincipal: 100,
  maxSessions: 10_000,
  maxAgents: 32,
  maxQueuedPrompts: 32,
  maxQueuedBytes: 33_554_432,
  maxOpenRequests: 1_000,
};

/** All limits of a gateway. Only tests set those that are not in {@link GatewayLimits}. */
export interface AllGatewayLimits extends GatewayLimits {
  /** The journals that a principal has open on a replica at the same time, as HTTP streams or by `Gateway.journal`. */
  readonly maxJournals: number;
  /** The agents of a principal that a replica starts within a minute. */
  readonly maxAgentStarts: number;
  /** The pending requests of a client on one connection. */
  readonly maxClientRequests: number;
  /**
   * The characters of the recent journal entries of a session that stay in memory for slow readers. A few entries
   * always stay, for clients that connect again.
   */
  readonly maxRecentChars: number;
  /**
   * The characters of journal entries that are not yet durable. Above this limit, the gateway stops reading from the
   * agent.
   */
  readonly maxUnwrittenChars: number;
  /**
   * The characters of acknowledged journal entries that the owner of a session keeps for 30 seconds, if the engine may
   * lose entries in a failover.
   */
  readonly maxRepairChars: number;
  /**
   * The characters of the replies to other replicas that a replica keeps. A command that arrives again gets its reply
   * again, and is not executed again.
   */
  readonly maxReplyChars: number;
  /** The journal entries that one append writes. */
  readonly maxBatchEntries: number;
  /** The characters of the entries that one append writes. */
  readonly maxBatchChars: number;
  /** The journal entries that one read from the engine returns. */
  readonly maxPageEntries: number;
  /** The characters of the entries that one read from the engine returns. */
  readonly maxPageChars: number;
  /** The sessions on a page of `session/list`. */
  readonly listPageSize: number;
  /** The characters of an id, path or cursor that a client sends. */
  readonly maxTextChars: number;
}

export const allLimitDefaults: AllGatewayLimits = {
  ...gatewayLimitDefaults,
  maxJournals: 100,
  maxAgentStarts: 120,
  maxClientRequests: 1_000,
  maxRecentChars: 4_194_304,
  maxUnwrittenChars: 4_194_304,
  maxRepairChars: 8_388_608,
  maxReplyChars: 16_777_216,
  maxBatchEntries: 1_000,
  maxBatchChars: 1_048_576,
  maxPageEntries: 1_000,
  maxPageChars: 1_048_576,
  listPageSize: 50,
  maxTextChars: 8_192,
};

/** The times of a gateway, in milliseconds. {@link gatewayTimeDefaults} has the default of each time. */
export interface GatewayTimes {
  /**
   * How long a replica's leases last without a renewal. After this time, another replica may take over the sessions of
   * a killed replica. The pauses and intervals of the communication between replicas are parts of this time.
   */
  readonly leaseMs: number;
  /** How long an engine may be unavailable before clients' requests fail. */
  readonly engineGraceMs: number;
  /** How long an agent may take to respond to `initialize`. */
  readonly initializeTimeoutMs: number;
  /** How long an agent without a session is kept. */
  readonly idleTimeoutMs: number;
  /** How long a client whose connection broke stays attached, if it can continue on another connection. */
  readonly reconnectTimeoutMs: number;
}

/** The named defaults of {@link GatewayTimes}. */
export const gatewayTimeDefaults: GatewayTimes = {
  leaseMs: 10_000,
  engineGraceMs: 30_000,
  initializeTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  reconnectTimeoutMs: 60_000,
};

/** All times of a gateway. Only tests set those that are not in {@link GatewayTimes}. */
export interface AllGatewayTimes extends GatewayTimes {
  /** How long an agent may take to create, load or resume a session. */
  readonly openSessionTimeoutMs: number;
  /** The pause before an operation that failed temporarily is repeated. */
  readonly retryMs: number;
  /** How long a replica waits for the reply to a command before it sends the command again. */
  readonly replyMs: number;
  /**
   * The interval at which a replica checks pending prompts, and the sessions of other replicas to which its clients are
   * attached, and reports its clients to the owners of their sessions. A client without a report for three intervals no
   * longer counts as attached.
   */
  readonly watchMs: number;
  /** How long an agent may take to close a session. */
  readonly closeMs: number;
}

/** Returns the default of each time. The times of the communication between replicas are parts of `leaseMs`. */
export function allTimeDefaults(leaseMs: number = gatewayTimeDefaults.leaseMs): AllGatewayTimes {
  return {
    ...gatewayTimeDefaults,
    openSessionTimeoutMs: 120_000,
    retryMs: leaseMs / 50,
    replyMs: leaseMs / 2,
    watchMs: leaseMs / 5,
    closeMs: 5_000,
  };
}

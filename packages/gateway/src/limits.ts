/** The bounds of a gateway; each has a default in {@link gatewayLimitDefaults}. */
export interface GatewayLimits {
  /** Connections that a principal may have open at once; and clients whose connection broke and that may come back. */
  readonly maxConnections: number;
  /** Sessions that a principal may have, those that sleep included. */
  readonly maxSessions: number;
  /** Requests that a client may have open at once on one connection. */
  readonly maxClientRequests: number;
  /** Journals that a principal may have open at once on a replica, to read them without ACP. */
  readonly maxJournals: number;
  /** Agents that a principal may have running at once on a replica. */
  readonly maxAgents: number;
  /** Agents of a principal that may be started within a minute on a replica. */
  readonly maxAgentStarts: number;
  /** Prompts that may wait for the running turn of a session. */
  readonly maxQueuedPrompts: number;
  /** Characters of JSON of the prompts that may wait for the running turn of a session. */
  readonly maxQueuedChars: number;
  /** Requests of an agent that may be open in one session. */
  readonly maxOpenRequests: number;
  /** Entries of a session that stay in memory for readers that are behind, in characters of JSON; a few stay for clients that connect again. */
  readonly maxRecentChars: number;
  /** Entries that wait for the engine, in characters, above which the agent is paused. */
  readonly maxUnwrittenChars: number;
  /** Characters of acknowledged entries that the owner of a session keeps for 30 seconds, with an engine that may lose them in a failover. */
  readonly maxRepairChars: number;
  /** Entries of one append. */
  readonly maxBatchEntries: number;
  /** Characters of one append. */
  readonly maxBatchChars: number;
  /** Entries of one page that is read from the engine. */
  readonly maxPageEntries: number;
  /** Characters of one page that is read from the engine. */
  readonly maxPageChars: number;
  /** Sessions on a page of `session/list`. */
  readonly listPageSize: number;
  /** Characters of an id, path or cursor that a client sends. */
  readonly maxTextChars: number;
}

/** The named defaults of {@link GatewayLimits}. */
export const gatewayLimitDefaults: GatewayLimits = {
  maxConnections: 100,
  maxSessions: 10_000,
  maxClientRequests: 1_000,
  maxJournals: 100,
  maxAgents: 32,
  maxAgentStarts: 120,
  maxQueuedPrompts: 32,
  maxQueuedChars: 67_108_864,
  maxOpenRequests: 1_000,
  maxRecentChars: 4_194_304,
  maxUnwrittenChars: 4_194_304,
  maxRepairChars: 8_388_608,
  maxBatchEntries: 1_000,
  maxBatchChars: 1_048_576,
  maxPageEntries: 1_000,
  maxPageChars: 1_048_576,
  listPageSize: 50,
  maxTextChars: 8_192,
};

/** How long things take; each has a default in {@link gatewayTimeDefaults}. */
export interface GatewayTimes {
  /** How long a replica's leases last without a renewal; a replica that was killed is replaced after that. */
  readonly leaseMs: number;
  /** The pause before something that failed for the moment is tried again. */
  readonly retryMs: number;
  /** How long an engine may be unavailable before requests fail. */
  readonly engineGraceMs: number;
  /** How long the reply of another replica may take before the command is sent again. */
  readonly replyMs: number;
  /** How often a replica looks after pending prompts and sessions of other replicas by itself. */
  readonly watchMs: number;
  /** How long an agent may take to respond to `initialize`. */
  readonly initializeMs: number;
  /** How long an agent may take to close a session. */
  readonly closeMs: number;
  /** How long an agent without a session is kept. */
  readonly idleAgentMs: number;
  /** How long a client whose connection broke stays attached, if it can continue on another connection. */
  readonly reconnectMs: number;
}

/** The named defaults of {@link GatewayTimes}. */
export const gatewayTimeDefaults: GatewayTimes = {
  leaseMs: 10_000,
  retryMs: 200,
  engineGraceMs: 30_000,
  replyMs: 5_000,
  watchMs: 2_000,
  initializeMs: 60_000,
  closeMs: 5_000,
  idleAgentMs: 60_000,
  reconnectMs: 60_000,
};

import type { JournalPage, PageLimits, Position } from "./journal-page.js";
import type {
  DirectoryPage,
  DirectoryQuery,
  DirectoryRecord,
  NewSessionRecord,
  RecordPatch,
  Scope,
  SessionKey,
} from "./session-record.js";

/**
 * The storage of a gateway. It contains the directory of sessions, and the journal and lease of each session. It also
 * delivers the messages between replicas.
 *
 * Every method rejects with an `EngineError` when it fails. `engineContract` of `@acp-kit/gateway/contract` checks an
 * implementation.
 */
export interface Engine {
  /**
   * Whether a failover may lose acknowledged entries, because the storage replicates them asynchronously. If so, the
   * owner of a session keeps the newest entries in memory, and appends lost entries again with the same numbers.
   * Default `false`.
   */
  readonly mayLose?: boolean;

  /**
   * Creates a session with an empty journal. No replica holds its lease. Rejects with `exists` if the scope already has
   * a session with this id.
   */
  create(scope: Scope, session: NewSessionRecord): Promise<void>;

  /** Resolves with the record of a session, or `undefined` if the scope has no such session. */
  find(key: SessionKey): Promise<DirectoryRecord | undefined>;

  /**
   * A page of the directory. Each session appears once, even if sessions are created, deleted or changed between two
   * pages.
   */
  list(scope: Scope, query: DirectoryQuery): Promise<DirectoryPage>;

  /** The number of sessions in a scope. */
  count(scope: Scope): Promise<number>;

  /**
   * Removes a session and its journal, even if a replica holds the lease of the session. Resolves with `false` if there
   * was no such session.
   */
  delete(key: SessionKey): Promise<boolean>;

  /** Reads entries after a position; `undefined` reads from the oldest kept entry. */
  read(key: SessionKey, after: Position | undefined, limits: PageLimits): Promise<JournalPage>;

  /**
   * Calls `onChange` soon after any replica has appended entries, and after the session was deleted. Several changes
   * may cause one call, and calls may be lost, so a reader also reads from time to time. The returned function ends the
   * watch.
   */
  watch(key: SessionKey, onChange: () => void): () => void;

  /**
   * Registers a replica. Its leases last as long as it renews its membership. Rejects with `exists` if the id is in
   * use.
   */
  join(replica: ReplicaOptions): Promise<Membership>;

  /** Releases connections and files. A membership that still exists lasts at most until its `ttlMs` is over. */
  close(): Promise<void>;
}

/** Options of {@link Engine.join}. */
export interface ReplicaOptions {
  /** The id of the replica, unique for each start of a process. A killed replica never returns with its old id. */
  readonly id: string;
  /** How long the membership lasts without a renewal, in milliseconds by the engine's clock. */
  readonly ttlMs: number;
  /** Receives messages of other replicas, each at least once, and those of one replica in order. Must not throw. */
  readonly onMessage: (message: string) => void;
}

/** The operations of one replica that has joined an engine. */
export interface Membership {
  /** The id of this replica. */
  readonly id: string;

  /**
   * Acquires the lease of a session with a new epoch. Succeeds if no replica holds the lease, if the holder's
   * membership has ended, or if this replica already holds the lease (its older lease is then stale).
   */
  acquire(key: SessionKey, options?: AcquireOptions): Promise<Acquired>;

  /**
   * Appends all entries or none. The lease must be current, and `first` must be the number after the last entry. An
   * empty list only checks these conditions. `patch` changes the record in the same step.
   */
  append(lease: Lease, first: number, entries: readonly string[], patch?: RecordPatch): Promise<Appended>;

  /** Removes the entries before `first`. A stale lease removes nothing. */
  trim(lease: Lease, first: number): Promise<void>;

  /** Releases a lease, so that any replica may acquire the session immediately. A stale lease is ignored. */
  release(lease: Lease): Promise<void>;

  /**
   * Extends the membership by its `ttlMs`. Resolves with `false` if the membership had ended before the call. The
   * membership then starts again, but other replicas may have acquired its sessions.
   */
  renew(): Promise<boolean>;

  /**
   * Sends a message to another replica. Resolves with `false` if that replica is not a member now. Otherwise resolves
   * with `true`, without waiting for the delivery.
   */
  send(replica: string, message: string): Promise<boolean>;

  /** Ends the membership: its leases can be acquired immediately. */
  leave(): Promise<void>;
}

/** Options of {@link Membership.acquire}. */
export interface AcquireOptions {
  /**
   * Whether the result is `taken` even if the membership of the session's holder has ended. After an outage of the
   * engine, all memberships have ended, and a holder that is still running soon renews its membership. Default `false`.
   */
  readonly sparesEnded?: boolean;
}

/** The exclusive right of one replica to append to one journal, until another lease has a higher epoch. */
export interface Lease {
  readonly key: SessionKey;
  /** Increases with every lease of this session. */
  readonly epoch: number;
}

/**
 * The result of acquiring a lease:
 *
 * - `held`: this replica holds the lease. `last` is the end of the journal, `record` the session's current record.
 * - `taken`: the replica `by` holds the lease. With `sparesEnded`, `hasEnded` is `true` if the membership of `by` has
 *   ended.
 * - `missing`: there is no such session in this scope.
 */
export type Acquired =
  | { readonly is: "held"; readonly lease: Lease; readonly last: Position; readonly record: DirectoryRecord }
  | { readonly is: "taken"; readonly by: string; readonly hasEnded?: boolean }
  | { readonly is: "missing" };

/**
 * The result of an append:
 *
 * - `appended`: all entries are durable.
 * - `misplaced`: nothing was appended, because `first` is not the next number: the journal's last entry has the number
 *   `last`. If the outcome of an earlier append is unknown, `last` shows whether it was executed.
 * - `stale`: nothing was appended, because the session has a newer lease.
 * - `missing`: nothing was appended, because the session was deleted.
 */
export type Appended =
  | { readonly is: "appended" }
  | { readonly is: "misplaced"; readonly last: number }
  | { readonly is: "stale" }
  | { readonly is: "missing" };

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
 * Where gateways keep sessions, and how replicas of a gateway find each other: a directory, journals, leases, messages.
 *
 * Every method rejects with an `EngineError` when it fails. `engineContract` of `@acp-kit/gateway/contract` checks an
 * implementation.
 */
export interface Engine {
  /**
   * Whether a failover may lose entries that were acknowledged, because they are replicated later. Owners keep the newest ones then, and append
   * lost ones again under the same numbers. Default `false`.
   */
  readonly mayLose?: boolean;

  /** Creates a session with an empty journal that no replica holds. Rejects with `exists` if its id is taken in this scope. */
  create(scope: Scope, session: NewSessionRecord): Promise<void>;

  /** The record of a session; `undefined` if there is none in this scope. */
  find(key: SessionKey): Promise<DirectoryRecord | undefined>;

  /** A page of the directory. Each session appears once, whatever is created, deleted or appended between two pages. */
  list(scope: Scope, query: DirectoryQuery): Promise<DirectoryPage>;

  /** The number of sessions in a scope. */
  count(scope: Scope): Promise<number>;

  /** Removes a session and its journal, also under its holder. `false` if there was none. */
  delete(key: SessionKey): Promise<boolean>;

  /** Reads entries behind a position; `undefined` reads from the oldest entry left. */
  read(key: SessionKey, after: Position | undefined, limits: PageLimits): Promise<JournalPage>;

  /**
   * Calls `onChange` soon after entries were appended by any replica, and after the session was deleted. Calls may be
   * joined and may be lost; a reader also reads from time to time. The returned function ends the watch.
   */
  watch(key: SessionKey, onChange: () => void): () => void;

  /** Registers a replica. Its leases last as long as it renews its membership. Rejects if the id is in use. */
  join(replica: ReplicaOptions): Promise<Membership>;

  /** Releases connections and files. Memberships that still exist end as if their replica had been killed. */
  close(): Promise<void>;
}

/** A replica that joins. */
export interface ReplicaOptions {
  /** Unique for each start of a process: a replica that was killed never returns under its old id. */
  readonly id: string;
  /** How long the membership lasts without a renewal, in milliseconds by the engine's clock. */
  readonly ttlMs: number;
  /** Receives messages of other replicas: in the order in which one replica sent them, and each at least once. Must not throw. */
  readonly onMessage: (message: string) => void;
}

/** A replica's part in the engine. */
export interface Membership {
  /** The id of this replica. */
  readonly id: string;

  /**
   * Takes the exclusive right to append to a session's journal, under a new epoch. Succeeds if no replica holds it, if its
   * holder's membership has ended, or if this replica holds it already (the older lease is then stale).
   */
  acquire(key: SessionKey): Promise<Acquired>;

  /**
   * Appends entries as a whole or not at all, and only if the lease is current and `first` is the number behind the last
   * entry. An empty list only checks that. `patch` changes the record in the same step.
   */
  append(lease: Lease, first: number, entries: readonly string[], patch?: RecordPatch): Promise<Appended>;

  /** Removes the entries before `first`. A stale lease removes nothing. */
  trim(lease: Lease, first: number): Promise<void>;

  /** Gives a lease back, so that any replica may acquire the session at once. A stale lease is ignored. */
  release(lease: Lease): Promise<void>;

  /**
   * Extends the membership by its `ttlMs`. `false` if it had ended in the meantime: it lasts again from now on, but other
   * replicas may have acquired its sessions.
   */
  renew(): Promise<boolean>;

  /** Sends a message to another replica. `false` if that is not a member now; else it was accepted, not yet received. */
  send(replica: string, message: string): Promise<boolean>;

  /** Ends the membership: its leases can be acquired at once. */
  leave(): Promise<void>;
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
 * - `held`: this replica holds it; `last` is the end of the journal, `record` the session as its last holder left it.
 * - `taken`: another replica holds it.
 * - `missing`: there is no such session in this scope.
 */
export type Acquired =
  | { readonly is: "held"; readonly lease: Lease; readonly last: Position; readonly record: DirectoryRecord }
  | { readonly is: "taken"; readonly by: string }
  | { readonly is: "missing" };

/**
 * The result of an append:
 *
 * - `appended`: all entries are durable.
 * - `misplaced`: nothing was appended, because the next number of the journal is `last + 1`. After an append whose outcome was
 *   unknown, `last` shows the outcome.
 * - `stale`: nothing was appended, because another lease is newer.
 * - `missing`: nothing was appended, because the session was deleted.
 */
export type Appended =
  | { readonly is: "appended" }
  | { readonly is: "misplaced"; readonly last: number }
  | { readonly is: "stale" }
  | { readonly is: "missing" };

import type { LogEntry, StoredEntry } from "./log-entry.js";

/**
 * The result of a store's method: a value, or a promise of the value. The methods of a synchronous store return plain
 * values, so that sending an update creates no promise.
 */
export type MaybePromise<Value> = Value | PromiseLike<Value>;

/** The data about a saved session that `session/list` returns. */
export interface SessionRecord {
  readonly sessionId: string;
  /** The working directory of the session, as an absolute path. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title: string | null;
  /** The time at which the session was created, in ISO 8601. */
  readonly createdAt: string;
  /** The time at which the last entry of the session was written, in ISO 8601. */
  readonly updatedAt: string;
}

/** The query for a page of the list of sessions. */
export interface SessionQuery {
  /** Lists only sessions with exactly this `cwd`. */
  readonly cwd?: string;
  /** The cursor that the previous page returned. */
  readonly cursor?: string;
  /** The maximum number of sessions on a page. */
  readonly limit: number;
}

/**
 * A page of a list of sessions, the newest session first. The list is ordered by creation, so that a session that
 * changes between the requests for two pages is neither repeated nor left out.
 */
export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  /** The cursor of the next page; absent on the last page. */
  readonly nextCursor?: string;
}

/** Options of opening a log. */
export interface OpenLogOptions {
  /** Whether to take the lease even from a running process, whose later writes fail. The default is `false`. */
  readonly takeOver?: boolean;
}

/**
 * The log of a session and the lease to write it, which one process holds at a time. Every write contains the token of
 * the lease, so that a process that lost the lease can't write any more, even if it has not noticed the loss.
 */
export interface SessionLog {
  readonly sessionId: string;
  /** The token of the lease, which is higher than that of every previous lease. */
  readonly token: number;
  /**
   * Writes one entry after all others, even if earlier calls have returned promises that are still pending. It returns
   * the `seq` of the entry, by which a connection that joins the session recognises entries that are already in the
   * log.
   *
   * @throws {LeaseLostError} when another process now holds the session, or the session was deleted.
   */
  append(entry: LogEntry): MaybePromise<number>;
  /** Changes the title of the session. @throws {LeaseLostError} as {@link append}. */
  setTitle(title: string | null): MaybePromise<void>;
  /** Releases the lease. A second call has no effect. */
  release(): MaybePromise<void>;
}

/** The sessions of one owner. */
export interface OwnedSessions {
  /**
   * @throws {TypeError} when the id exists, for any owner; when the id or a path is not well-formed Unicode or contains
   * NUL, because some stores could not distinguish it from another text.
   */
  create(session: Pick<SessionRecord, "sessionId" | "cwd" | "additionalDirectories">): MaybePromise<void>;
  /** Returns a session; `undefined` if this owner has no such session. */
  find(sessionId: string): MaybePromise<SessionRecord | undefined>;
  /**
   * @throws {RangeError} for a string that is not a cursor of the list.
   */
  list(query: SessionQuery): MaybePromise<SessionPage>;
  /** Returns the entries of a session after `after`, in order; none if this owner has no such session. */
  read(sessionId: string, after?: number): MaybePromise<readonly StoredEntry[]>;
  /**
   * Takes the lease of a session. The lease of a process that has ended is free immediately.
   *
   * @throws {SessionHeldError} when another process holds the lease.
   * @throws {LeaseLostError} when this owner has no such session, for example because it was deleted.
   */
  open(sessionId: string, options?: OpenLogOptions): MaybePromise<SessionLog>;
  /**
   * Deletes a session with its log. Deleting a session that does not exist succeeds.
   *
   * @throws {SessionHeldError} when another process holds the lease.
   */
  delete(sessionId: string): MaybePromise<void>;
}

/** The limits of a store. An absent limit means no limit. */
export interface StoreLimits {
  /**
   * The maximum size of the log of one session, in bytes of JSON as UTF-8. If a log exceeds the limit, the oldest turns
   * are removed first; the last turn is always kept.
   */
  readonly maxSessionBytes?: number;
  /** The maximum number of sessions of one owner. The sessions that were written longest ago are removed. */
  readonly maxSessions?: number;
  /**
   * The age in milliseconds, by the system clock, after which a session without new entries is removed. If the clock
   * jumps ahead, sessions are removed too early.
   */
  readonly maxAgeMs?: number;
}

/**
 * A store for sessions: `memoryStore()`, `sqliteStore()` of `@acp-kit/sessions/node`, or your own implementation.
 *
 * Sessions can only be read through {@link SessionStore.owner}, so that a mistake in the calling code can't show a user
 * another user's sessions.
 */
export interface SessionStore {
  /**
   * @throws {TypeError} when the name is not well-formed Unicode or contains NUL.
   */
  owner(owner: string): OwnedSessions;
  /** Removes sessions above the limits that no process holds. Done automatically when sessions are created. */
  prune(): MaybePromise<void>;
  close(): MaybePromise<void>;
}

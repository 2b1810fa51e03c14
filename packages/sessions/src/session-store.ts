import type { LogEntry, StoredEntry } from "./log-entry.js";

/** The result of a store: synchronous, or a promise. A synchronous store costs an update no promise. */
export type MaybePromise<Value> = Value | PromiseLike<Value>;

/** The facts about a session that lists show. */
export interface SessionRecord {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** When an entry was last written: ISO 8601. */
  readonly updatedAt: string;
}

/** Which sessions to list. */
export interface SessionQuery {
  /** Only those with exactly this `cwd`. */
  readonly cwd?: string;
  /** The end of the previous page. */
  readonly cursor?: string;
  /** Maximum number of sessions on a page. */
  readonly limit: number;
}

/** One page, newest session first. Pages are by creation, so that a session that changes meanwhile is neither repeated nor missed. */
export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** Options of taking a lease. */
export interface OpenLogOptions {
  /** Take it even from a running process that holds it; further writes of that process fail. Default: no. */
  readonly takeOver?: boolean;
}

/**
 * The right to write one session, held by one process at a time. Every write carries its token, so that an overtaken holder
 * can't write any more, however late it notices.
 */
export interface SessionLog {
  readonly sessionId: string;
  /** Higher than that of every previous holder. */
  readonly token: number;
  /**
   * Writes one entry after all others, including those whose promise is pending. Returns its `seq`, by which a connection that
   * joins the session recognises entries already in the log.
   *
   * @throws {LeaseLostError} when another process holds the session now, or it was deleted.
   */
  append(entry: LogEntry): MaybePromise<number>;
  /** Changes the title. @throws {LeaseLostError} as {@link append}. */
  setTitle(title: string | null): MaybePromise<void>;
  /** Releases the session. Idempotent. */
  release(): MaybePromise<void>;
}

/** The sessions of one owner. */
export interface OwnedSessions {
  /**
   * @throws {TypeError} when the id exists, for any owner; when it or a path is not well-formed Unicode or contains a NUL,
   * which some stores could not distinguish from another one.
   */
  create(session: Pick<SessionRecord, "sessionId" | "cwd" | "additionalDirectories">): MaybePromise<void>;
  /** `undefined` when this owner has no such session. */
  find(sessionId: string): MaybePromise<SessionRecord | undefined>;
  /** @throws {RangeError} for a cursor that isn't one. */
  list(query: SessionQuery): MaybePromise<SessionPage>;
  /** Returns all entries after `after`, in order. Empty when this owner has no such session. */
  read(sessionId: string, after?: number): MaybePromise<readonly StoredEntry[]>;
  /**
   * Takes the lease of a session. A lease of a process that has ended is free at once.
   *
   * @throws {SessionHeldError} when another process holds it.
   */
  open(sessionId: string, options?: OpenLogOptions): MaybePromise<SessionLog>;
  /**
   * Removes a session with its log. Removing a missing session succeeds.
   *
   * @throws {SessionHeldError} when another process holds it.
   */
  delete(sessionId: string): MaybePromise<void>;
}

/** Limits of a store. Absent: no limit. */
export interface StoreLimits {
  /** Maximum size of the log of one session, in bytes of JSON as UTF-8. Over it, the oldest turns are removed first; the last one always stays. */
  readonly maxSessionBytes?: number;
  /** Maximum number of sessions of one owner. Over it, the sessions written to longest ago are removed. */
  readonly maxSessions?: number;
  /** Sessions last written to longer ago than this are removed, in milliseconds. */
  readonly maxAgeMs?: number;
}

/**
 * Keeps sessions: `memoryStore()`, `sqliteStore()` of `@acp-kit/sessions/node`, or your own implementation.
 *
 * Every read names an owner, so that no mistake in calling code shows a user another user's sessions.
 */
export interface SessionStore {
  /** @throws {TypeError} when the name is not well-formed Unicode or contains a NUL. */
  owner(owner: string): OwnedSessions;
  /** Removes sessions over the limits now; held sessions stay. Stores do this themselves when sessions are created. */
  prune(): MaybePromise<void>;
  close(): MaybePromise<void>;
}

import type { LogEntry, StoredEntry } from "./log-entry.js";

/** What a store answers: at once, or later. A store that answers at once costs an update no promise. */
export type Answer<Value> = Value | PromiseLike<Value>;

/** What lists show of a session. */
export interface SessionRecord {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** When something was last written: ISO 8601. */
  readonly updatedAt: string;
}

/** Which sessions to list. */
export interface SessionQuery {
  /** Only those with exactly this `cwd`. */
  readonly cwd?: string;
  /** Where the page before ended. */
  readonly cursor?: string;
  /** The most that a page may hold. */
  readonly limit: number;
}

/** One page, newest session first. Pages are by creation, so that a session that changes meanwhile is neither told twice nor missed. */
export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** How a session is taken to be written. */
export interface OpenLogOptions {
  /** Take it from a process that is alive and holds it, too; what that one writes from then on fails. Default: no. */
  readonly takeOver?: boolean;
}

/**
 * The right to write one session, held by one process at a time. Every write carries its token, so that a holder that was overtaken
 * can't write any more, however late it notices.
 */
export interface SessionLog {
  readonly sessionId: string;
  /** Higher than that of every holder before. */
  readonly token: number;
  /**
   * Writes one entry behind all others, those included whose promise is pending. Returns its `seq`, by which a connection that joins the session
   * knows what the log had already.
   *
   * @throws {LeaseLostError} when another process holds the session now, or it was deleted.
   */
  append(entry: LogEntry): Answer<number>;
  /** Changes the title. @throws {LeaseLostError} as {@link append}. */
  setTitle(title: string | null): Answer<void>;
  /** Gives the session back. Idempotent. */
  release(): Answer<void>;
}

/** The sessions of one owner. */
export interface OwnedSessions {
  /**
   * @throws {TypeError} when the id exists, whoever owns it; when it or a path is not well-formed Unicode or holds a NUL, which not every store
   * could keep apart from another one.
   */
  create(session: Pick<SessionRecord, "sessionId" | "cwd" | "additionalDirectories">): Answer<void>;
  /** `undefined` when this owner has no such session. */
  find(sessionId: string): Answer<SessionRecord | undefined>;
  /** @throws {RangeError} for a cursor that isn't one. */
  list(query: SessionQuery): Answer<SessionPage>;
  /** Everything in the log behind `after`, in order. Empty when this owner has no such session. */
  read(sessionId: string, after?: number): Answer<readonly StoredEntry[]>;
  /**
   * Takes the right to write a session. The right of a process that is gone passes on at once.
   *
   * @throws {SessionHeldError} when another process holds it.
   */
  open(sessionId: string, options?: OpenLogOptions): Answer<SessionLog>;
  /**
   * Removes a session with its log. Removing what isn't there succeeds.
   *
   * @throws {SessionHeldError} when another process holds it.
   */
  delete(sessionId: string): Answer<void>;
}

/** What a store keeps. Absent: no limit. */
export interface StoreLimits {
  /** The most that the log of one session may hold, in bytes of JSON as UTF-8. Over it, the oldest turns go first; the last one always stays. */
  readonly maxSessionBytes?: number;
  /** The most sessions of one owner. Over it, those that were written to longest ago go first. */
  readonly maxSessions?: number;
  /** Sessions that were last written to longer ago go, in milliseconds. */
  readonly maxAgeMs?: number;
}

/**
 * Where sessions are kept: `memoryStore()`, `sqliteStore()` of `@acp-kit/sessions/node`, or one of your own.
 *
 * There is no way to read without naming an owner, so that no mistake above shows somebody another's sessions.
 */
export interface SessionStore {
  /** @throws {TypeError} when the name is not well-formed Unicode or holds a NUL. */
  owner(owner: string): OwnedSessions;
  /** Removes what is over the limits now; sessions that somebody holds stay. Stores do this themselves when sessions are created. */
  prune(): Answer<void>;
  close(): Answer<void>;
}

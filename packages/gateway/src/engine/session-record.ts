/**
 * The tenant and user to whom sessions belong. Every operation requires a scope. For the caller, a session of another
 * scope is the same as a session that does not exist.
 */
export interface Scope {
  readonly tenant: string;
  readonly user: string;
}

/** Identifies one session. A session id is unique only within its scope. */
export interface SessionKey {
  readonly scope: Scope;
  readonly sessionId: string;
}

/** The record of a session to create. */
export interface NewSessionRecord {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /**
   * The gateway's state of the session, as a text. The engine stores and returns it unchanged, and does not parse it.
   */
  readonly state: string;
}

/** The record of a session in the directory of all sessions. */
export interface DirectoryRecord extends NewSessionRecord {
  readonly title: string | null;
  /** Milliseconds since 1970, by the engine's clock. */
  readonly createdAt: number;
  /** The time of the last append; without one, the time of the creation. */
  readonly updatedAt: number;
}

/** A change of a session's record, made in the same step as an append. Absent members stay unchanged. */
export interface RecordPatch {
  readonly title?: string | null;
  readonly state?: string;
}

/** The query for a page of the directory of sessions. */
export interface DirectoryQuery {
  /** The list contains only sessions with exactly this folder. */
  readonly cwd?: string | undefined;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A page of sessions in the order of creation, newest first, so that activity does not change the order. */
export interface DirectoryPage {
  readonly sessions: readonly DirectoryRecord[];
  readonly nextCursor?: string | undefined;
}

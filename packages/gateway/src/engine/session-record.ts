/**
 * On whose behalf the engine acts. Every operation takes a scope; none works without. Two scopes never see each other's
 * sessions, and a session of another scope looks like one that does not exist.
 */
export interface Scope {
  readonly tenant: string;
  readonly user: string;
}

/** Names one session: its id means nothing without the scope. */
export interface SessionKey {
  readonly scope: Scope;
  readonly sessionId: string;
}

/** What the engine needs to create a session. */
export interface NewSessionRecord {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The gateway's own state of the session; opaque to the engine. */
  readonly state: string;
}

/** A session in the directory. */
export interface DirectoryRecord extends NewSessionRecord {
  readonly title: string | null;
  /** Milliseconds since the epoch, by the engine's clock. */
  readonly createdAt: number;
  /** The time of the last append, or of the creation. */
  readonly updatedAt: number;
}

/** What an append changes in the record of its session, in the same step. Absent members stay as they are. */
export interface RecordPatch {
  readonly title?: string | null;
  readonly state?: string;
}

/** A page of the directory to read. */
export interface DirectoryQuery {
  /** Only sessions with exactly this folder. */
  readonly cwd?: string | undefined;
  /** Where the previous page ended: its `nextCursor`. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Sessions, newest first by creation, so that a page never changes by activity. */
export interface DirectoryPage {
  readonly sessions: readonly DirectoryRecord[];
  readonly nextCursor?: string | undefined;
}

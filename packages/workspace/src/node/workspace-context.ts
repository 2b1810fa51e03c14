/** The part of a session that the handlers use. `Session` of `@acp-kit/client` implements it. */
export interface WorkspaceSession {
  readonly sessionId: string;
  /** The absolute paths of the session's folders: its working directory, then the additional directories. */
  readonly roots: readonly string[];
}

/** The second argument of a handler. `ClientContext` of `@acp-kit/client` implements it. */
export interface WorkspaceContext {
  /** The session of the request; `undefined` while the session is being created, or if the client doesn't know it. */
  readonly session: WorkspaceSession | undefined;
  /** A signal that aborts when the request is cancelled. */
  readonly signal: AbortSignal;
  /** A signal that aborts when the session or its connection ends. The session's terminals are then released. */
  readonly sessionSignal?: AbortSignal;
}

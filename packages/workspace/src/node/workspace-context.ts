/** The part of a session that handlers use. The `Session` of `@acp-kit/client` has it. */
export interface WorkspaceSession {
  readonly sessionId: string;
  /** The absolute paths that the session works in: its working directory, then the additional ones. */
  readonly roots: readonly string[];
}

/** The context of a handler, beside its params. The `ClientContext` of `@acp-kit/client` has it. */
export interface WorkspaceContext {
  /** `undefined` while the session is being created, and when the client doesn't know it. */
  readonly session: WorkspaceSession | undefined;
  /** Aborts when the request is cancelled. */
  readonly signal: AbortSignal;
  /** Aborts when the session or its connection ends: terminals end with it. */
  readonly sessionSignal?: AbortSignal;
}

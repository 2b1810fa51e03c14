/** Another process may write the session now, or it was deleted: the entry was not written. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`Session ${sessionId} can't be written any more: another process has taken it over, or it was deleted`);
    this.sessionId = sessionId;
  }
}

/** Another running process writes the session. Close it there, or take it over. */
export class SessionHeldError extends Error {
  override readonly name = "SessionHeldError";
  readonly sessionId: string;
  /** The holder, as the store names its holders. */
  readonly holder: string;

  constructor(sessionId: string, holder: string) {
    super(`Session ${sessionId} is open in another process (${holder})`);
    this.sessionId = sessionId;
    this.holder = holder;
  }
}

/**
 * Why a store operation failed:
 *
 * - `busy`: another process kept it locked for longer than the store waits. Try again.
 * - `full`: the disk, or the file's own limit, has no room.
 * - `read_only`: the file is not writable.
 * - `io`: the system failed to read or write it, or its folder was removed.
 * - `corrupt`: its content is damaged.
 * - `foreign`: the file belongs to another program. It was not changed.
 * - `newer_format`: a newer version of the library has written it. Update the library.
 * - `closed`: the application has closed the store.
 */
export type StoreErrorCode = "busy" | "full" | "read_only" | "io" | "corrupt" | "foreign" | "newer_format" | "closed";

/** A store operation failed, and changed nothing. Entries written before stay, as far as the file is intact. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  /** The file. */
  readonly path: string;

  constructor(code: StoreErrorCode, path: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.path = path;
  }
}

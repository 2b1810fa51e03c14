/** Another process may write the session now, or it was deleted: what was to be written was not. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`Session ${sessionId} can't be written any more: another process has taken it over, or it was deleted`);
    this.sessionId = sessionId;
  }
}

/** Another process that is alive writes the session. Close it there, or take it over. */
export class SessionHeldError extends Error {
  override readonly name = "SessionHeldError";
  readonly sessionId: string;
  /** Who holds it, as the store names its holders. */
  readonly holder: string;

  constructor(sessionId: string, holder: string) {
    super(`Session ${sessionId} is open in another process (${holder})`);
    this.sessionId = sessionId;
    this.holder = holder;
  }
}

/**
 * Why a store can't do what it was asked for:
 *
 * - `busy`: another process kept it locked for longer than the store waits. Try again.
 * - `full`: the disk, or the file's own limit, has no room.
 * - `read_only`: it may not be written.
 * - `io`: the system failed to read or write it, or its folder is gone.
 * - `corrupt`: its content is damaged.
 * - `foreign`: it is a file of another program. It was not changed.
 * - `newer_format`: a newer version of the library has written it. Update the library.
 * - `closed`: the application has closed the store.
 */
export type StoreErrorCode = "busy" | "full" | "read_only" | "io" | "corrupt" | "foreign" | "newer_format" | "closed";

/** A store can't do what it was asked for. Nothing of it was done; what was written before stays, as far as the file is whole. */
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

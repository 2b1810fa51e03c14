/**
 * The error of a write to a session after this process lost the session's lease: another process took the session over,
 * or the session was deleted. The entry was not written.
 */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(
      `Session ${sessionId} can't be written any more: another process has taken the session over, or it was deleted`,
    );
    this.sessionId = sessionId;
  }
}

/** The error of opening a session that another process writes. Close the session there, or take it over. */
export class SessionHeldError extends Error {
  override readonly name = "SessionHeldError";
  readonly sessionId: string;
  /** The process that holds the session, as the store names it. */
  readonly holder: string;

  constructor(sessionId: string, holder: string) {
    super(`Session ${sessionId} is open in another process (${holder})`);
    this.sessionId = sessionId;
    this.holder = holder;
  }
}

/**
 * The reasons why a store operation failed:
 *
 * - `busy`: another process kept the file locked for longer than the store waits. Try the operation again.
 * - `full`: the disk, or the user's share of it, is full.
 * - `read_only`: the file or its folder is not writable, or belongs to another user.
 * - `io`: the system failed to read or write the file, or the file or its folder was removed.
 * - `corrupt`: the content of the file is damaged.
 * - `foreign`: the file belongs to another program. The file was not changed.
 * - `newer_format`: a newer version of the library wrote the file. Update the library.
 * - `closed`: the application has closed the store.
 */
export type StoreErrorCode = "busy" | "full" | "read_only" | "io" | "corrupt" | "foreign" | "newer_format" | "closed";

/** The error of a store operation that failed and changed nothing. Earlier entries are kept if the file is intact. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  /** The path of the store's file. */
  readonly path: string;

  constructor(code: StoreErrorCode, path: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.path = path;
  }
}

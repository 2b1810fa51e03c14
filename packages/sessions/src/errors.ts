/** Somebody else may write a session now, or it is gone: what was to be written was not. */
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
  /** Who holds it, as the store tells it. */
  readonly holder: string;

  constructor(sessionId: string, holder: string) {
    super(`Session ${sessionId} is open in another process (${holder})`);
    this.sessionId = sessionId;
    this.holder = holder;
  }
}

const brand = Symbol.for("acp-kit.SessionLostError");

/**
 * The error of calls to a session that was lost: the agent was restarted and can neither resume nor load sessions. Open
 * a new session instead.
 */
export class SessionLostError extends Error {
  static {
    Object.defineProperty(SessionLostError.prototype, brand, { value: true });
  }
  override readonly name = "SessionLostError";
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(
      `Session ${sessionId} was lost: the agent was restarted and can neither resume nor load it. Open a new session`,
    );
    this.sessionId = sessionId;
  }
}

/**
 * Returns whether an error is a `SessionLostError`, even if the package is installed twice or the error was created in
 * another JavaScript realm, such as an iframe.
 */
export function isSessionLostError(value: unknown): value is SessionLostError {
  return typeof value === "object" && value !== null && brand in value;
}

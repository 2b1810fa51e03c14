const brand = Symbol.for("acp-kit.SessionLostError");

/** The agent was restarted and can neither resume nor load sessions, so this session is lost. Open a new one. */
export class SessionLostError extends Error {
  static {
    Object.defineProperty(SessionLostError.prototype, brand, { value: true });
  }
  override readonly name = "SessionLostError";
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`Session ${sessionId} was lost: the agent was restarted and can neither resume nor load it`);
    this.sessionId = sessionId;
  }
}

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isSessionLostError(value: unknown): value is SessionLostError {
  return typeof value === "object" && value !== null && brand in value;
}

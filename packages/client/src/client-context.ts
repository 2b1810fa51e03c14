import type { Session } from "./session/session.js";

/** The second argument of a handler for an agent's request. */
export interface ClientContext {
  /**
   * The session to which the agent's request belongs; `undefined` while that session is being created, or if the client
   * doesn't know it.
   */
  readonly session: Session | undefined;
  /**
   * A signal that aborts when the agent cancels the request and when the connection ends. For permission requests and
   * elicitations, it also aborts when the session's turn is cancelled.
   */
  readonly signal: AbortSignal;
  /**
   * A signal that aborts when the session is closed or its connection has ended. A handler listens to it to end, for
   * example, the commands that it started for the session.
   */
  readonly sessionSignal: AbortSignal;
}

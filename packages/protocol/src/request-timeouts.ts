/** The times in milliseconds after which requests without a response reject; 0 means no limit. */
export interface RequestTimeouts {
  /** The limit of `initialize`, which includes the start of the agent's process. The default is 60,000. */
  readonly initializeTimeoutMs: number;
  /**
   * The limit of every request that does not wait for a user, a model or a command, extension methods included. The
   * default is 120,000.
   */
  readonly requestTimeoutMs: number;
}

/** The default values of {@link RequestTimeouts}. */
export const requestTimeoutDefaults: RequestTimeouts = { initializeTimeoutMs: 60_000, requestTimeoutMs: 120_000 };

/** The requests whose response waits for a user, a model or a command. They have no limit unless the call sets one. */
const withoutTimeout = new Set([
  "session/prompt",
  "session/request_permission",
  "elicitation/create",
  "terminal/wait_for_exit",
  "authenticate",
]);

/** Returns the time limit of a request in milliseconds, for a call that sets none. */
export function timeoutOf(method: string, timeouts: RequestTimeouts): number {
  if (method === "initialize") return timeouts.initializeTimeoutMs;
  return withoutTimeout.has(method) ? 0 : timeouts.requestTimeoutMs;
}

/** The times in milliseconds that requests may wait for their responses; 0 means no limit. */
export interface Deadlines {
  /** The deadline of `initialize`, which includes the start of the agent's process. */
  readonly initializeMs: number;
  /** The deadline of every request that does not wait for a user, a model or a command. */
  readonly requestMs: number;
}

/** The default values of {@link Deadlines}. */
export const deadlineDefaults: Deadlines = { initializeMs: 60_000, requestMs: 120_000 };

/** Requests whose response waits for a user, a model or a command: no deadline unless the caller sets one. */
const withoutDeadline = new Set([
  "session/prompt",
  "session/request_permission",
  "elicitation/create",
  "terminal/wait_for_exit",
  "authenticate",
]);

/** Returns the deadline of a request whose call sets none. Extension methods count as ordinary requests. */
export function deadlineOf(method: string, deadlines: Deadlines): number {
  if (method === "initialize") return deadlines.initializeMs;
  return withoutDeadline.has(method) ? 0 : deadlines.requestMs;
}

/** How long a request may wait for its response, in milliseconds; 0 means no limit. */
export interface Deadlines {
  /** `initialize`: includes the start of the agent's process. */
  readonly initializeMs: number;
  /** Every request that does not wait for a user, a model or a command. */
  readonly requestMs: number;
}

/** The named defaults of {@link Deadlines}. */
export const deadlineDefaults: Deadlines = { initializeMs: 60_000, requestMs: 120_000 };

/** Requests whose response waits for a user, a model or a command: no deadline unless the caller sets one. */
const withoutDeadline = new Set([
  "session/prompt",
  "session/request_permission",
  "elicitation/create",
  "terminal/wait_for_exit",
  "authenticate",
]);

/** The deadline of a request that brings none of its own. Extension methods are ordinary requests. */
export function deadlineOf(method: string, deadlines: Deadlines): number {
  if (method === "initialize") return deadlines.initializeMs;
  return withoutDeadline.has(method) ? 0 : deadlines.requestMs;
}

/** How long a request may wait for its answer, in milliseconds; 0 for ever. */
export interface Deadlines {
  /** `initialize`: includes the start of the agent's process. */
  readonly initializeMs: number;
  /** Every request that waits for no person, no model and no command. */
  readonly requestMs: number;
}

/** The named defaults of {@link Deadlines}. */
export const deadlineDefaults: Deadlines = { initializeMs: 60_000, requestMs: 120_000 };

/** Requests whose answer waits for a person, a model or a command: no deadline unless the caller sets one. */
const unhurried = new Set([
  "session/prompt",
  "session/request_permission",
  "elicitation/create",
  "terminal/wait_for_exit",
  "authenticate",
]);

/** The deadline of a request that brings none of its own. Extension methods are ordinary requests. */
export function deadlineOf(method: string, deadlines: Deadlines): number {
  if (method === "initialize") return deadlines.initializeMs;
  return unhurried.has(method) ? 0 : deadlines.requestMs;
}

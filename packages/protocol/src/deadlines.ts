import type { OptionKinds } from "@acp-kit/jsonrpc/internal";

/** The times in milliseconds after which requests without a response reject; 0 means no limit. */
export interface Deadlines {
  /** The deadline of `initialize`, which includes the start of the agent's process. */
  readonly initializeMs: number;
  /** The deadline of every request that does not wait for a user, a model or a command. */
  readonly requestMs: number;
}

/** The default values of {@link Deadlines}. */
export const deadlineDefaults: Deadlines = { initializeMs: 60_000, requestMs: 120_000 };

/** The kinds of the deadlines, for the check of options. */
export const deadlineKinds: OptionKinds<Deadlines> = { initializeMs: "value", requestMs: "value" };

/**
 * The requests whose response waits for a user, a model or a command. They have no deadline unless the call sets one.
 */
const withoutDeadline = new Set([
  "session/prompt",
  "session/request_permission",
  "elicitation/create",
  "terminal/wait_for_exit",
  "authenticate",
]);

/**
 * Returns the default deadline of a request in milliseconds, for a call that sets no deadline. Extension methods have
 * the deadline `requestMs`.
 */
export function deadlineOf(method: string, deadlines: Deadlines): number {
  if (method === "initialize") return deadlines.initializeMs;
  return withoutDeadline.has(method) ? 0 : deadlines.requestMs;
}

/** The policy by which a crashed agent is restarted. {@link restartDefaults} has the default of each limit. */
export interface RestartOptions {
  /** The number of restarts that are allowed within `restartWindowMs`. */
  readonly maxRestarts?: number;
  /** The time in milliseconds in which restarts are counted; an agent that ran that long counts as recovered. */
  readonly restartWindowMs?: number;
  /** The delay in milliseconds before the second restart of a series; the first restart is immediate, and each later delay is doubled. */
  readonly backoffMs?: number;
  readonly maxBackoffMs?: number;
}

/** The default values of {@link RestartOptions}. */
export const restartDefaults: Required<RestartOptions> = {
  maxRestarts: 5,
  restartWindowMs: 60_000,
  backoffMs: 500,
  maxBackoffMs: 10_000,
};

/**
 * Returns the delay before the next start, in milliseconds; `undefined` when the budget is spent. `crashes` are the times at
 * which the agent ended unexpectedly.
 */
export function restartDelay(
  crashes: readonly number[],
  now: number,
  options: RestartOptions = {},
): number | undefined {
  const { maxRestarts, restartWindowMs, backoffMs, maxBackoffMs } = { ...restartDefaults, ...options };
  const recent = crashes.filter((time) => now - time < restartWindowMs).length;
  if (recent > maxRestarts) return undefined;
  return recent < 2 ? 0 : Math.min(maxBackoffMs, backoffMs * 2 ** (recent - 2));
}

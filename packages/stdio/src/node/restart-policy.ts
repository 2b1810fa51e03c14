/** The policy by which a crashed agent is restarted. */
export interface RestartPolicy {
  /** The number of restarts that are allowed within `restartWindowMs`. */
  readonly maxRestarts: number;
  /** The time in milliseconds over which restarts are counted. An agent that runs that long has recovered. */
  readonly restartWindowMs: number;
  /** The milliseconds before the second restart; the first is immediate. Doubles up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

export const restartPolicy: RestartPolicy = {
  maxRestarts: 5,
  restartWindowMs: 60_000,
  backoffMs: 500,
  maxBackoffMs: 10_000,
};

/**
 * Returns the delay in milliseconds before the next start, or `undefined` if no further restart is allowed now.
 * `crashes` are the times at which the agent ended unexpectedly.
 */
export function restartDelay(
  crashes: readonly number[],
  now: number,
  { maxRestarts, restartWindowMs, backoffMs, maxBackoffMs }: RestartPolicy,
): number | undefined {
  const recent = crashes.filter((time) => now - time < restartWindowMs).length;
  if (recent > maxRestarts) return undefined;
  return recent < 2 ? 0 : Math.min(maxBackoffMs, backoffMs * 2 ** (recent - 2));
}

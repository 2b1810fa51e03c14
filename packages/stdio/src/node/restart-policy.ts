import { limitsAmong } from "@acp-kit/jsonrpc/internal";

/** The policy by which a crashed agent is restarted. {@link restartDefaults} has the default of each limit. */
export interface RestartOptions {
  /** The number of restarts that are allowed within `restartWindowMs`. */
  readonly maxRestarts?: number;
  /** The time in milliseconds over which restarts are counted. An agent that has run for that long counts as recovered. */
  readonly restartWindowMs?: number;
  /**
   * The delay in milliseconds before the second restart. The first restart is immediate; each further delay is twice as
   * long, up to `maxBackoffMs`.
   */
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
 * Returns the policy with its defaults. An option that is `undefined` gets its default.
 *
 * @throws {TypeError} for a limit that is `NaN`, negative or not a number.
 */
export function restartLimits(options: RestartOptions): Required<RestartOptions> {
  return limitsAmong("superviseAgent", restartDefaults, options);
}

/**
 * Returns the delay in milliseconds before the next start, or `undefined` if no further restart is allowed now.
 * `crashes` are the times at which the agent ended unexpectedly.
 */
export function restartDelay(
  crashes: readonly number[],
  now: number,
  options: RestartOptions = {},
): number | undefined {
  const { maxRestarts, restartWindowMs, backoffMs, maxBackoffMs } = restartLimits(options);
  const recent = crashes.filter((time) => now - time < restartWindowMs).length;
  if (recent > maxRestarts) return undefined;
  return recent < 2 ? 0 : Math.min(maxBackoffMs, backoffMs * 2 ** (recent - 2));
}

/** The default values of `AgentOptions`, in milliseconds. */
export const agentDefaults = {
  cancelGraceMs: 10_000,
  /** The default of `limits.cancelTimeoutMs`. */
  cancelTimeoutMs: 1_000,
} as const;

/** The number of updates that can wait for the response that creates their session. */
export const MAX_EARLY_UPDATES = 10_000;

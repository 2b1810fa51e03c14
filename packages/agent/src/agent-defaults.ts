/** The default values of `AgentOptions`. */
export const agentDefaults = {
  /** The default of `cancelGraceMs`: how many milliseconds the handler of a cancelled turn may run. */
  cancelGraceMs: 10_000,
  /** The default of `limits.maxEarlyUpdates`: how many updates may wait for the response that creates their session. */
  maxEarlyUpdates: 10_000,
  /** The default of `limits.cancelTimeoutMs`: how many milliseconds a cancelled request waits for the client's response. */
  requestCancelTimeoutMs: 1_000,
} as const;

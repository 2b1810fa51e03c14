/** The default values of `AgentOptions`. */
export const agentDefaults = {
  /**
   * The default of `cancelGraceMs`: the time in milliseconds for which the handler of a cancelled turn may continue to
   * run.
   */
  cancelGraceMs: 10_000,
  /**
   * The default of `limits.maxEarlyUpdates`: the number of updates that can wait for the response that creates their
   * session.
   */
  maxEarlyUpdates: 10_000,
  /**
   * The default of `limits.cancelTimeoutMs`: the time in milliseconds for which a cancelled request waits for the
   * client's response.
   */
  requestCancelTimeoutMs: 1_000,
} as const;

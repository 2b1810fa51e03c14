/** The named defaults of `AgentOptions`. */
export const agentDefaults = {
  /** `cancelGraceMs`: how long a cancelled turn may take to end. */
  cancelGraceMs: 10_000,
  /** `limits.maxEarlyUpdates`: updates that wait for the response that creates their session. */
  maxEarlyUpdates: 10_000,
  /** `limits.cancelTimeoutMs`: how long a request to the client that was cancelled with its turn waits for the client's response. */
  requestCancelTimeoutMs: 1_000,
} as const;

/**
 * How every command of `acp-kit` ends. Scripts depend on these numbers: they are pinned by a test and listed in the README.
 */
export const ExitCode = {
  /** Done; for `run`: the turn ended with `end_turn`. */
  ok: 0,
  /** Anything that has no code of its own. */
  error: 1,
  /** The command line, a file it names or a value it gives is wrong. Nothing was prompted. */
  usage: 2,
  /** The agent could not be started or reached, or died; for `conformance`: the run is inconclusive. */
  agentFailed: 3,
  /** The turn ended with `refusal`, `max_tokens` or `max_turn_requests`. */
  refused: 4,
  /** `--timeout`, or a deadline of the protocol, passed. */
  timeout: 5,
  /** The agent wants a login first, or the server of a remote one did not accept the token. */
  authRequired: 6,
  /** Ctrl-C, a signal, a reader of the output that went away, or the agent itself cancelled. 128 + SIGINT, as shells have it. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

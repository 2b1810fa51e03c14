/**
 * The exit codes of every command of `acp-kit`. Scripts depend on these numbers: a test pins them, the README lists them.
 */
export const ExitCode = {
  /** Done; for `run`: the turn ended with `end_turn`. */
  ok: 0,
  /** Any error without a code of its own. */
  error: 1,
  /** The command line, a file it names or a value it gives is wrong. No prompt was sent. */
  usage: 2,
  /** The agent could not be started or reached, or died; for `conformance`: the run is inconclusive. */
  agentFailed: 3,
  /** The turn ended with `refusal`, `max_tokens` or `max_turn_requests`. */
  refused: 4,
  /** `--timeout`, or a deadline of the protocol, passed. */
  timeout: 5,
  /** The agent requires a login, or the server of a remote one did not accept the token. */
  authRequired: 6,
  /** Cancelled by Ctrl-C, a signal, a closed output pipe, or the agent. 128 + SIGINT, as in shells. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

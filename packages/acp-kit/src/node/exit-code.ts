/** The exit codes of every command of `acp-kit`. Scripts depend on them, so they never change. */
export const ExitCode = {
  /** Success; for `run`: the turn ended with `end_turn`. */
  ok: 0,
  /** An error that has no exit code of its own. */
  error: 1,
  /** The command line, a file that it names, or a value is wrong. No prompt was sent. */
  usage: 2,
  /** The agent could not be started or reached, or its process ended; for `conformance`: the run is inconclusive. */
  agentFailed: 3,
  /** The turn ended with `refusal`, `max_tokens` or `max_turn_requests`. */
  refused: 4,
  /** The time of `--timeout`, or a deadline of the protocol, has passed. */
  timeout: 5,
  /** The agent requires a login, or the server of a remote agent did not accept the token. */
  authRequired: 6,
  /** Cancelled by Ctrl-C, a signal, a closed output pipe, or the agent. The code is 128 + SIGINT, as in shells. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

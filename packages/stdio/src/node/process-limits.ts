/** The limits of an agent's process that are not options. Tests choose others. */
export interface FixedProcessLimits {
  /** The time in milliseconds that the agent's process group has to end after `SIGTERM`. Then it gets `SIGKILL`. */
  readonly termGraceMs: number;
  /**
   * The time in milliseconds for which the library still reads the agent's output after the agent has exited, because a
   * process that the agent started can keep the output open.
   */
  readonly outputGraceMs: number;
  /** The number of bytes at the end of the agent's standard error that are kept for error messages. */
  readonly stderrTailBytes: number;
}

export const fixedProcessLimits: FixedProcessLimits = {
  termGraceMs: 2_000,
  outputGraceMs: 500,
  stderrTailBytes: 8_192,
};

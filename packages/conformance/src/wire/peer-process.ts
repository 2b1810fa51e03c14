/** How a process of the peer ended. */
export interface PeerExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of the process's standard error. */
  readonly stderrTail: string;
}

/** A process of the peer under test, or a substitute in this process. */
export interface PeerProcess {
  write(bytes: Uint8Array): void;
  /** Closes the process's standard input. */
  endInput(): void;
  /**
   * Registers a listener for all bytes of the process's standard output, in order. Call this once, in the tick in which
   * the process was returned, so that no byte is lost.
   */
  onOutput(listener: (bytes: Uint8Array) => void): void;
  /** Resolves when the process has exited and all of its output has been delivered. */
  readonly exited: Promise<PeerExit>;
  /** Ends the process and all processes that it started, and resolves afterwards. Never rejects. */
  kill(): Promise<void>;
}

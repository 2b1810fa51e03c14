/** How a process of the peer ended. */
export interface PeerExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of its standard error. */
  readonly stderrTail: string;
}

/** A process of the peer under test, or a substitute in this process. */
export interface PeerProcess {
  write(bytes: Uint8Array): void;
  /** Closes its standard input. */
  endInput(): void;
  /** Called with all bytes of its standard output, in order. Set it once, in the same tick, to receive the first byte. */
  onOutput(listener: (bytes: Uint8Array) => void): void;
  /** Resolves when the process has exited and all of its output has been delivered. */
  readonly exited: Promise<PeerExit>;
  /** Ends the process and everything that it started. Resolves afterwards; never rejects. */
  kill(): Promise<void>;
}

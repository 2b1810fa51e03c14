/** How a process of the peer ended. */
export interface PeerExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to its standard error. */
  readonly stderrTail: string;
}

/** A process of the peer under test, or what plays one: bytes in, bytes out, an end. */
export interface PeerProcess {
  write(bytes: Uint8Array): void;
  /** Closes its standard input. */
  endInput(): void;
  /** Called with everything that it writes to standard output, in order, from the first byte on. Set it once, at once. */
  onOutput(listener: (bytes: Uint8Array) => void): void;
  /** Resolves when the process is gone and all of its output was handed over. */
  readonly exited: Promise<PeerExit>;
  /** Ends it, and everything that it has started. Resolves when that is so; never rejects. */
  kill(): Promise<void>;
}

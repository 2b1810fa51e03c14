/** The destination of a recording's lines: a file (`openRecordingFile` of `@acp-kit/testing/node`), memory ({@link memorySink}), a socket. */
export interface RecordingSink {
  /**
   * Writes one whole line, its line end included. To survive a crash, the line must have left this process when this returns.
   * An error it throws ends the recording, never the recorded connection.
   */
  write(line: string): void;
  /** Called after the last line. */
  close?(): void | Promise<void>;
}

/** A sink that keeps the lines. */
export interface MemorySink extends RecordingSink {
  /** The recording so far, as the content of a file. */
  text(): string;
}

/** Keeps a recording in memory, for tests. */
export function memorySink(): MemorySink {
  const lines: string[] = [];
  return { write: (line) => void lines.push(line), text: () => lines.join("") };
}

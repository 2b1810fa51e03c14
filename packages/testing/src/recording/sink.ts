/**
 * Where the lines of a recording go: a file (`openRecordingFile` of `@acp-kit/testing/node`), memory ({@link memorySink}), a socket.
 */
export interface RecordingSink {
  /**
   * Takes one whole line, its line end included. To survive a crash, it has to be out of this process when this returns.
   * What it throws ends the recording, never the connection that is recorded.
   */
  write(line: string): void;
  /** Nothing more will be written. */
  close?(): void | Promise<void>;
}

/** A sink that keeps the lines. */
export interface MemorySink extends RecordingSink {
  /** The recording so far, as it would stand in a file. */
  text(): string;
}

/** Keeps a recording in memory, for tests. */
export function memorySink(): MemorySink {
  const lines: string[] = [];
  return { write: (line) => void lines.push(line), text: () => lines.join("") };
}

/** Where a recording's lines go: a file (`openRecordingFile`), memory ({@link memorySink}), or a socket. */
export interface RecordingSink {
  /**
   * Writes one whole line, including its line end. To survive a crash, the line must have left the process when this
   * method returns. If the method throws, the recording ends, but the recorded connection continues.
   */
  write(line: string): void;
  /** Called after the last line of the recording. */
  close?(): void | Promise<void>;
}

/** A sink that keeps the lines of a recording in memory. */
export interface MemorySink extends RecordingSink {
  /** The recording so far, as the content of a file. */
  text(): string;
}

/** Creates a sink that keeps a recording in memory, for tests. */
export function memorySink(): MemorySink {
  const lines: string[] = [];
  return { write: (line) => void lines.push(line), text: () => lines.join("") };
}

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import type { Recording } from "../../recording/format.js";
import { readRecording } from "../../recording/read-recording.js";
import type { RecordingSink } from "../../recording/sink.js";

/** A file that is being recorded into. */
export interface RecordingFile extends RecordingSink {
  /** Where it really is. */
  readonly path: string;
}

/** How {@link openRecordingFile} opens. */
export interface RecordingFileOptions {
  /** Replace a file that is there, instead of taking the next free name. */
  readonly overwrite?: boolean;
}

/**
 * Opens a file to record into. Each line is handed to the system before `write` returns, so that it survives the crash of this process;
 * nobody but the user may read it.
 *
 * A recording never replaces another, unless asked to: when `session.jsonl` exists, it becomes `session-2.jsonl`. Missing folders are made.
 *
 * @throws when the file can't be made; the system's own error.
 */
export function openRecordingFile(path: string, options: RecordingFileOptions = {}): RecordingFile {
  mkdirSync(dirname(path), { recursive: true });
  const opened = options.overwrite ? { path, fd: openSync(path, "w", PRIVATE) } : openNext(path);
  let { fd } = opened as { fd: number | undefined };
  return {
    path: opened.path,
    write(line) {
      if (fd === undefined) return;
      const bytes = Buffer.from(line);
      for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

/**
 * Reads a recording from a file, also while it is being written.
 *
 * @throws {RecordingError} when it is no recording.
 */
export async function readRecordingFile(path: string): Promise<Recording> {
  return readRecording(await readFile(path, "utf8"));
}

const PRIVATE = 0o600;
const MOST_FILES = 10_000;

function openNext(path: string): { readonly path: string; readonly fd: number } {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${stem}-${number}${extension}`;
    try {
      return { path: candidate, fd: openSync(candidate, "wx", PRIVATE) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || number === MOST_FILES) throw error;
    }
  }
}

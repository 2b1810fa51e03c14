import { closeSync, fchmodSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { Recording } from "../../recording/format.js";
import { readRecording } from "../../recording/read-recording.js";
import type { RecordingSink } from "../../recording/sink.js";

/** A file for a recording. */
export interface RecordingFile extends RecordingSink {
  /** The path of the recording's file, which may differ from the requested one. */
  readonly path: string;
}

/** Options of {@link openRecordingFile}. */
export interface RecordingFileOptions {
  /** Whether to replace an existing file; by default, the next free name is used. */
  readonly overwrite?: boolean;
}

/**
 * Opens a file for a recording. `write` passes each line to the operating system before it returns, so that the line
 * survives a crash of the process. Only the current user may read the file.
 *
 * A recording never replaces another file, except with the option `overwrite`: if `session.jsonl` exists, the recording
 * becomes `session-2.jsonl`. Missing folders are created.
 *
 * @throws the system's error when the file can't be created.
 */
export function openRecordingFile(path: string, options: RecordingFileOptions = {}): RecordingFile {
  checkOptions("openRecordingFile", options, optionKinds);
  mkdirSync(dirname(path), { recursive: true });
  const opened = options.overwrite ? { path, fd: openPrivate(path) } : openNext(path);
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

const optionKinds: OptionKinds<RecordingFileOptions> = { overwrite: "value" };

/**
 * Reads a recording from a file, even while it is being written.
 *
 * @throws {RecordingError} when the file is not a recording.
 */
export async function readRecordingFile(path: string): Promise<Recording> {
  return readRecording(await readFile(path, "utf8"));
}

const PRIVATE = 0o600;
const MOST_FILES = 10_000;

/** Opens an existing or new file. The permissions of an existing one are changed afterwards. */
function openPrivate(path: string): number {
  const fd = openSync(path, "w", PRIVATE);
  try {
    fchmodSync(fd, PRIVATE);
  } catch {
    // The file system has no permissions, or the file belongs to another user.
  }
  return fd;
}

function openNext(path: string): { readonly path: string; readonly fd: number } {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${stem}-${number}${extension}`;
    try {
      return { path: candidate, fd: openSync(candidate, "wx", PRIVATE) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || number === MOST_FILES) throw error;
      // A file beside the folder would not be found by a user who named the folder to have the recording in it.
      if (number === 1 && statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw isFolder(path);
    }
  }
}

/** The error that the system reports when a folder is opened for writing. */
function isFolder(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`EISDIR: illegal operation on a directory, open '${path}'`), { code: "EISDIR", path });
}

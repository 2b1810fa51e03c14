import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EverythingLogEntry, EverythingStore } from "../session-store.js";

const EXTENSION = ".jsonl";
/** The maximum length of a file name that all systems allow. */
const MAX_NAME_LENGTH = 255;

/**
 * Stores sessions in a folder, each in a file of JSON Lines, so that another process can list and load them. The folder
 * is created if missing. Lines that can't be read, such as one that a crash cut off, are skipped.
 */
export function fileStore(directory: string): EverythingStore {
  mkdirSync(directory, { recursive: true });
  const fileOf = (sessionId: string): string => join(directory, nameOf(sessionId));
  const written = new Set<string>(); // the files to which this process has appended
  return {
    append(sessionId, entry) {
      const file = fileOf(sessionId);
      // If a crash has cut off the last line, the entry begins a new line.
      const start = written.has(file) || linesOf(file).at(-1) === "" || !existsSync(file) ? "" : "\n";
      written.add(file);
      appendFileSync(file, `${start}${JSON.stringify(entry)}\n`, { mode: 0o600 });
    },
    read: (sessionId) => (isStorable(sessionId) ? linesOf(fileOf(sessionId)).flatMap(entryOf) : []),
    sessionIds: () => readdirSync(directory).flatMap(sessionIdOf),
    delete(sessionId) {
      if (isStorable(sessionId)) rmSync(fileOf(sessionId), { force: true });
    },
  };
}

const nameOf = (sessionId: string): string => `${encodeURIComponent(sessionId)}${EXTENSION}`;

/** Returns whether a client's id can be the name of a file: well-formed and not too long. */
function isStorable(sessionId: string): boolean {
  try {
    return nameOf(sessionId).length <= MAX_NAME_LENGTH;
  } catch {
    return false;
  }
}

/** Returns the session id of a file, or nothing for a file of another program. */
function sessionIdOf(name: string): string[] {
  if (!name.endsWith(EXTENSION)) return [];
  try {
    return [decodeURIComponent(name.slice(0, -EXTENSION.length))];
  } catch {
    return [];
  }
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function entryOf(line: string): EverythingLogEntry[] {
  try {
    const entry = JSON.parse(line) as EverythingLogEntry | null;
    return typeof entry === "object" && entry !== null ? [entry] : [];
  } catch {
    return [];
  }
}

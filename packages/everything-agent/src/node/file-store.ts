import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EverythingLogEntry, EverythingStore } from "../session-store.js";

const EXTENSION = ".jsonl";

/**
 * Stores sessions in a folder, each in a file of JSON Lines, so that another process can list and load them. The folder is
 * created if missing. Lines that can't be read, such as one that a crash cut off, are skipped.
 */
export function fileStore(directory: string): EverythingStore {
  mkdirSync(directory, { recursive: true });
  const fileOf = (sessionId: string): string => join(directory, `${encodeURIComponent(sessionId)}${EXTENSION}`);
  return {
    append(sessionId, entry) {
      appendFileSync(fileOf(sessionId), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    },
    read: (sessionId) => linesOf(fileOf(sessionId)).flatMap(entryOf),
    sessionIds() {
      const files = readdirSync(directory).filter((name) => name.endsWith(EXTENSION));
      return files.map((name) => decodeURIComponent(name.slice(0, -EXTENSION.length)));
    },
    delete(sessionId) {
      rmSync(fileOf(sessionId), { force: true });
    },
  };
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
    return [JSON.parse(line) as EverythingLogEntry];
  } catch {
    return [];
  }
}

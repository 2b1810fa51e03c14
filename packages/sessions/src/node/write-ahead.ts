import type { Database } from "libsql";

const RETRY_MS = 5;

/**
 * Lets a database write ahead. The first time a file needs that, whoever does it has to be alone with it for a moment, and SQLite itself
 * doesn't wait for that, whatever its `busy_timeout`: of two processes that make a file together, one would fail.
 *
 * @param pause - blocks for so many milliseconds; for tests.
 * @throws what SQLite throws when the others don't finish within `timeoutMs`.
 */
export function writeAhead(database: Database, timeoutMs: number, pause: (ms: number) => void = block): void {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "SQLITE_BUSY" || performance.now() >= deadline) throw error;
    }
    pause(RETRY_MS);
  }
}

/** The store answers at once, so this is no promise. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "libsql";
import { RegistryError } from "../errors.js";

/** Options of {@link withLock}. */
export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once if another process holds the lock. */
  readonly onWait?: (() => void) | undefined;
  /** How long to wait for the lock, in milliseconds. */
  readonly timeoutMs: number;
}

const pollMs = 50;

/**
 * Runs an action while this process holds the lock of a file.
 *
 * It is a lock of the system on an empty SQLite file, as session stores use it: the system releases it when the process ends
 * in any way, and it works across PID namespaces. A file with a pid in it can do neither.
 *
 * @throws {RegistryError} `busy` when another process holds it for too long; the reason of an aborted signal.
 */
export async function withLock<T>(file: string, options: LockOptions, action: () => Promise<T>): Promise<T> {
  const database = await acquire(file, options);
  try {
    return await action();
  } finally {
    database.close();
  }
}

async function acquire(file: string, { signal, onWait, timeoutMs }: LockOptions): Promise<Database.Database> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    const database = lock(file);
    if (database !== undefined) return database;
    if (attempt === 0) onWait?.();
    if (performance.now() > deadline) {
      throw new RegistryError(
        "busy",
        `Another process has held the lock ${file} for ${timeoutMs} ms. Try again later.`,
      );
    }
    await delay(pollMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** `undefined` while another connection holds it. */
function lock(file: string): Database.Database | undefined {
  const database = new Database(file);
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    const { code } = error as { readonly code?: string };
    if (code?.startsWith("SQLITE_BUSY") || code?.startsWith("SQLITE_LOCKED")) return undefined;
    throw error;
  }
}

import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type Database from "libsql";
import { fileFailure, RegistryError } from "../errors.js";
import { fileReason } from "./file-reason.js";

/** Options of {@link withLock}. */
export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once if the lock is not free. */
  readonly onWait?: (() => void) | undefined;
  /** Maximum time to wait for the lock, in milliseconds. */
  readonly timeoutMs: number;
}

const pollMs = 50;

/**
 * Runs an action while this process holds the lock of a file.
 *
 * The lock is a file lock of the operating system, on an empty SQLite file. The system releases the lock when the
 * process ends in any way, and the lock also works between processes in different PID namespaces. A lock file that
 * contains a process id has neither property.
 *
 * @throws {RegistryError} `busy` when the lock is not free within `timeoutMs`.
 * @throws {Error} when the folder of the file can't be created, or the file can't be used. Rejects with the reason of
 * an aborted signal.
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
  createFolder(dirname(file));
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    const database = await lock(file);
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

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const what = `Can't create the folder ${folder}`;
    const failure = fileFailure(what, cause);
    if (failure !== cause) throw failure;
    throw new Error(`${what}: ${fileReason(cause)}. Choose a folder that you may write.`, { cause });
  }
}

/**
 * Creates the file so that only its user may open it, because every user who may read a file can lock it. An existing
 * file is not opened: closing it would release the locks that this process has on it.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "ax", 0o600));
  } catch {
    if ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) chmodSync(file, 0o600);
  }
}

/** Tries to lock the file. Returns `undefined` while another connection holds the lock. */
async function lock(file: string): Promise<Database.Database | undefined> {
  const { default: Sqlite } = await import("libsql"); // a native module, loaded only by programs that install agents
  let database: Database.Database | undefined;
  try {
    makePrivate(file);
    database = new Sqlite(file);
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database?.close();
    const { code } = error as { readonly code?: string };
    if (code?.startsWith("SQLITE_BUSY") || code?.startsWith("SQLITE_LOCKED")) return undefined;
    throw new Error(
      `Can't use the lock file ${file}: ${fileReason(error)}. Remove it, or make its folder writable, and try again.`,
      { cause: error },
    );
  }
}

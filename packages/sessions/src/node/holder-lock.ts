import { chmodSync, closeSync, existsSync, openSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import Database from "libsql";

const ids = /^[0-9a-f]{16}$/;

/** Returns the path of a lock. Processes that name the store by a link and by its own path must use the same lock. */
const fileOf = (path: string, id: string): string => `${realPathOf(path)}-holder-${id}`;

/**
 * A lock of the operating system, held until {@link release} or the end of this process. It locks an empty SQLite file
 * in the folder of the store, in the same way as SQLite locks its files. The lock is as reliable as the locking of the
 * store itself on every system, and works across PID namespaces.
 */
export class HolderLock {
  readonly #path: string;
  readonly #database: Database.Database;

  constructor(path: string, id: string) {
    this.#path = fileOf(path, id);
    this.#database = open(this.#path);
    try {
      this.#database.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /**
   * Releases the lock. The file stays. Use it if other processes take a lock with the same id: if the file were
   * removed, a process that had opened it before could lock the removed file, and another process a new one.
   */
  unlock(): void {
    this.#database.close();
  }

  /** Releases the lock and removes its file. Use it only if no other process takes a lock with this id. */
  release(): void {
    this.unlock();
    remove(this.#path);
  }
}

/** Returns whether a running process holds the lock with this id. */
export function isLocked(path: string, id: string): boolean {
  const file = fileOf(path, id);
  if (!ids.test(id) || !existsSync(file)) return false;
  let database: Database.Database | undefined;
  try {
    database = open(file);
    database.exec("BEGIN EXCLUSIVE");
    return false;
  } catch {
    return true; // locked, or not readable by this user
  } finally {
    database?.close();
  }
}

/** Removes the locks of processes that ended without releasing them. */
export function removeUnlocked(path: string): void {
  const store = realPathOf(path);
  const prefix = `${basename(store)}-holder-`;
  for (const name of readdirSync(dirname(store))) {
    const id = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (ids.test(id) && !isLocked(path, id)) remove(fileOf(path, id));
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the store was removed
  }
}

function open(file: string): Database.Database {
  makePrivate(file);
  const database = new Database(file);
  database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY");
  return database;
}

/**
 * Creates the file so that only its user may open it: every user who may read a file can lock it, and so keep the owner
 * out of the store. The function does not open an existing file, because closing it would release the locks that this
 * process has on it.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "ax", 0o600));
  } catch {
    if ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) chmodSync(file, 0o600);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The file stays. Another process removes it before it takes its own lock.
  }
}

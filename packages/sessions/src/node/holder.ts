import { randomBytes } from "node:crypto";
import { HolderLock, isLocked, removeUnlocked } from "./holder-lock.js";
import { processName, startOf } from "./process-name.js";

/**
 * The process that has a store open. It marks the sessions that it writes with its signature:
 * `<name of the process>/<id of its lock>`.
 *
 * A holder is alive as long as its lock is held: the system releases the lock when the process ends in any way. A pid
 * is not enough across PID namespaces, or after a reboot.
 */
export class Holder {
  readonly #path: string;
  readonly #process = processName();
  readonly #lockId = randomBytes(8).toString("hex");
  #lock: HolderLock | undefined;

  /** @param path - the file of the store, from which the names of the lock files derive. */
  constructor(path: string) {
    this.#path = path;
  }

  get name(): string {
    return `${this.#process}/${this.#lockId}`;
  }

  /**
   * Takes the lock, before the first session is signed. Call it while no other process can write the store: at that
   * time, every lock file that is not locked is left over, and the method removes it.
   */
  lock(): void {
    if (this.#lock !== undefined || this.#path === ":memory:") return;
    removeUnlocked(this.#path);
    this.#lock = new HolderLock(this.#path, this.#lockId);
  }

  /** Whether another running process has this signature. A process may take a session from itself. */
  isOther(name: string): boolean {
    const [process, lock] = split(name);
    return (lock === undefined || process !== this.#process) && this.isAlive(name);
  }

  /** Whether the process that wrote this signature still holds its lock. */
  isAlive(name: string): boolean {
    const [, lock] = split(name);
    if (lock !== undefined) return name === this.name || isLocked(this.#path, lock);
    // An old version of the library, without locks, wrote this signature: host, pid and start time. The host name is
    // not compared, because it may have changed.
    const [, pid, start = "", ...rest] = name.split("/");
    return rest.length === 0 && Number(pid) !== process.pid && isRunning(Number(pid), start);
  }

  /** Describes another holder in an error message: its process, and whether it runs in another container. */
  describe(name: string): string {
    const [process, lock] = split(name);
    if (lock === undefined) return `process ${name.split("/")[1]}`;
    const [boot, namespace, pid] = process.split("/");
    const [ownBoot, ownNamespace] = this.#process.split("/");
    return `process ${pid}${boot === ownBoot && namespace === ownNamespace ? "" : " of another container"}`;
  }

  release(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }
}

/** Returns the process and the id of its lock in a signature. One of an old version, without locks, has no id. */
function split(name: string): readonly [process: string, lock: string | undefined] {
  const parts = name.split("/");
  return [parts.slice(0, 4).join("/"), parts.length === 5 ? parts[4] : undefined];
}

function isRunning(pid: number, start: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: a process of another user runs with this pid
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return start === "" || startOf(pid) === start;
}

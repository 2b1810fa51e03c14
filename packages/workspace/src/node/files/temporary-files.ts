import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { lstat, opendir, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import type { Directory } from "./open-directory.js";

/** The milliseconds after which a temporary file of a maybe running process is removed. Writes take seconds. */
const MAX_AGE_MS = 24 * 60 * 60_000;
/** Minimum time between two searches of the same directory, in milliseconds. */
const PAUSE_MS = 10 * 60_000;
const MAX_ENTRIES = 10_000;
const MAX_DIRECTORIES = 10_000;

const NAME = /^\.acp-kit-([0-9a-f]{12})-([0-9]{1,10})-[0-9a-f]{16}\.tmp$/;

/** Names temporary files by the pid, and removes those of killed processes where this one writes. */
export class TemporaryFiles {
  readonly #lookedThrough = new Map<string, number>();
  #scope: string | undefined;

  /** Returns a new name that identifies its owner: `.acp-kit-<scope of the pid>-<pid>-<random>.tmp`. */
  newName(): string {
    return `.acp-kit-${this.#pidScope()}-${process.pid}-${randomBytes(8).toString("hex")}.tmp`;
  }

  /** Removes temporary files of ended processes, at most every ten minutes, if possible. Never rejects. */
  async removeStale(directory: Directory): Promise<void> {
    try {
      const identity = await directory.identity();
      const now = Date.now();
      if (now - (this.#lookedThrough.get(identity) ?? 0) < PAUSE_MS) return;
      if (this.#lookedThrough.size >= MAX_DIRECTORIES) this.#lookedThrough.clear();
      this.#lookedThrough.set(identity, now);
      await removeStaleFiles(directory, now, this.#pidScope());
    } catch {
      // Stale files do no harm, and the next process tries again.
    }
  }

  #pidScope(): string {
    this.#scope ??= createHash("sha256").update(describePidScope()).digest("hex").slice(0, 12);
    return this.#scope;
  }
}

async function removeStaleFiles(directory: Directory, now: number, scope: string): Promise<void> {
  let seen = 0;
  for await (const { name } of await opendir(directory.entry("."), { bufferSize: 256 })) {
    seen += 1;
    if (seen > MAX_ENTRIES) return;
    if (!NAME.test(name)) continue;
    const stats = await lstat(directory.entry(name)).catch(() => undefined);
    if (stats === undefined || !stats.isFile() || stats.uid !== (process.getuid?.() ?? stats.uid)) continue;
    if (hasDeadOwner(name, scope) || now - stats.mtimeMs > MAX_AGE_MS)
      await unlink(directory.entry(name)).catch(() => {});
  }
}

/** Returns whether the process that created the file has certainly ended. A reused pid counts as running. */
function hasDeadOwner(name: string, ownScope: string): boolean {
  const [, scope, pid] = NAME.exec(name) ?? [];
  if (scope !== ownScope) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** The scope in which a pid identifies a process: this boot of this machine and, on Linux, this PID namespace. */
function describePidScope(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8")} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // The host name stays the same after a reboot, so files from before the reboot are removed by their age
    return hostname();
  }
}

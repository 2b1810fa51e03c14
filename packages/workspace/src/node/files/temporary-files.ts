import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { lstat, opendir, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import type { Directory } from "./open-directory.js";

/** Every file whose owner can't be asked is this old before it is removed: a write takes seconds. */
const MAX_AGE_MS = 24 * 60 * 60_000;
/** How long a directory is not looked through again. */
const PAUSE_MS = 10 * 60_000;
/** The most entries of a directory that are looked through. */
const MAX_ENTRIES = 10_000;
/** The most directories that are remembered. */
const MAX_DIRECTORIES = 10_000;

const NAME = /^\.acp-kit-([0-9a-f]{12})-([0-9]{1,10})-[0-9a-f]{16}\.tmp$/;

/** Names temporary files after their process, and removes those of killed ones in the directories that this process writes to. */
export class TemporaryFiles {
  readonly #lookedThrough = new Map<string, number>();
  #scope: string | undefined;

  /** A new name, which says whose file it is: `.acp-kit-<where its pid means something>-<pid>-<random>.tmp`. */
  newName(): string {
    return `.acp-kit-${this.#pidScope()}-${process.pid}-${randomBytes(8).toString("hex")}.tmp`;
  }

  /** Looks through a directory, at most every ten minutes. What can't be removed is left; it never rejects. */
  async removeStale(directory: Directory): Promise<void> {
    try {
      const identity = await directory.identity();
      const now = Date.now();
      if (now - (this.#lookedThrough.get(identity) ?? 0) < PAUSE_MS) return;
      if (this.#lookedThrough.size >= MAX_DIRECTORIES) this.#lookedThrough.clear();
      this.#lookedThrough.set(identity, now);
      await removeStaleFiles(directory, now, this.#pidScope());
    } catch {
      // The files harm nothing, and the next process tries again.
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

/** Whether the process that made it has certainly ended. A pid that is in use again counts as alive. */
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

/** Where a pid means the same process: this boot of this machine and, on Linux, this PID namespace. */
function describePidScope(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8")} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname(); // a reboot isn't seen: then age decides
  }
}

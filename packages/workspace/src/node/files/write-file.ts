import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { lineEndingsOf, withLineEndings } from "./line-endings.js";
import { notAFile } from "./system-failure.js";
import type { HeldEntry } from "./with-entry.js";

/** What is written, and how. */
export interface WriteRequest {
  /** As the agent wrote it. */
  readonly path: string;
  readonly content: string;
  /** Write with the line ends and the byte order mark that the file has. */
  readonly keepLineEndings: boolean;
}

/**
 * Replaces a file, or makes it: the whole text is written beside it and then takes its name, so that nobody ever reads half of it.
 * Permissions stay, and the owner as far as the system lets us. Returns the number of bytes; `undefined` when the entry, or its
 * directory, isn't what it was.
 *
 * @throws {RpcError} when there is something else than a file.
 */
export async function writeFile(
  { directory, name }: HeldEntry,
  { path, content, keepLineEndings }: WriteRequest,
): Promise<number | undefined> {
  const target = directory.entry(name);
  const old = await statsOf(target);
  if (old?.isSymbolicLink()) return undefined;
  if (old !== undefined && !old.isFile()) throw notAFile(path);
  if (old !== undefined) await access(target, constants.W_OK); // to replace a file no permission of its own is needed, so ask
  const keep = keepLineEndings && old !== undefined;
  const bytes = Buffer.from(keep ? withLineEndings(content, await lineEndingsOf(target)) : content);
  const temporaryName = `.acp-kit-${randomBytes(8).toString("hex")}.tmp`;
  const temporary = directory.entry(temporaryName);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const handle = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, old === undefined ? 0o666 : 0o600);
  let done = false;
  try {
    if (!(await directory.holds(temporaryName, handle))) return undefined; // still empty
    await fill(handle, bytes, old);
    await handle.close();
    if ((await directory.location()) === undefined) return undefined;
    await replace(temporary, target);
    done = true;
    return bytes.length;
  } finally {
    await handle.close();
    if (!done) await unlink(temporary).catch(() => {});
  }
}

/** What an entry is, links not followed; `undefined` when there is none. */
export async function statsOf(entry: string): Promise<Stats | undefined> {
  try {
    return await lstat(entry);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function fill(handle: FileHandle, bytes: Uint8Array, old: Stats | undefined): Promise<void> {
  await handle.writeFile(bytes);
  if (old !== undefined) {
    const mine = await handle.stat();
    if (mine.uid !== old.uid || mine.gid !== old.gid) await handle.chown(old.uid, old.gid).catch(() => {});
    await handle.chmod(old.mode & 0o777); // never more than that: new content inherits no set-user-id
  }
  await handle.sync();
}

/** On Windows a file that somebody looks at in this moment, a virus scanner for one, can't be replaced: a little later it can. */
async function replace(temporary: string, target: string): Promise<void> {
  for (let pauseMs = 10; ; pauseMs *= 2) {
    try {
      await rename(temporary, target);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const busy = process.platform === "win32" && (code === "EPERM" || code === "EACCES" || code === "EBUSY");
      if (!busy || pauseMs > 500) throw error;
      await delay(pauseMs);
    }
  }
}

import { constants, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type FileSystem, statsOf } from "./file-system.js";
import { lineEndingsOf, type ScanLimits, withLineEndings } from "./line-endings.js";
import { tooLarge } from "./read-lines.js";
import { notAFile } from "./system-failure.js";
import type { FileRules, HeldEntry } from "./with-entry.js";

/** The text of a write, and its options. */
export interface WriteRequest extends ScanLimits {
  /** The path as the agent sent it. */
  readonly path: string;
  readonly content: string;
  /** Whether to write with the line endings and the byte order mark of the existing file. */
  readonly keepLineEndings: boolean;
  /** Maximum number of bytes to write, counted after the text was converted to the line endings of the file. */
  readonly maxWriteBytes: number;
}

/**
 * Replaces or creates a file. The text is written to a temporary file, which is then renamed, so that a reader never
 * sees part of the text. The owner and the group are preserved if the system allows it, and the mode with them. Returns
 * the number of bytes, or `undefined` if the entry or its directory was replaced.
 *
 * @throws {RpcError} when the entry is not a file, and when the text exceeds the limit.
 */
export async function writeFile(
  { directory, name }: HeldEntry,
  { path, content, keepLineEndings, maxWriteBytes, ...limits }: WriteRequest,
  { fileSystem, temporaryFiles }: Pick<FileRules, "fileSystem" | "temporaryFiles">,
): Promise<number | undefined> {
  const target = directory.entry(name);
  const old = await statsOf(target, fileSystem);
  if (old?.isSymbolicLink()) return undefined;
  if (old !== undefined && !old.isFile()) throw notAFile(path);
  // Checked here, because replacing a file by renaming needs no permission for that file
  if (old !== undefined) await fileSystem.access(target, constants.W_OK);
  const keep = keepLineEndings && old !== undefined;
  const text = keep ? withLineEndings(content, await lineEndingsOf(target, limits, fileSystem)) : content;
  const bytes = Buffer.from(text);
  if (bytes.length > maxWriteBytes) throw tooLarge(path, maxWriteBytes, "not written");
  const newName = temporaryFiles.newName();
  const temporary = directory.entry(newName);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
  const handle = await fileSystem.open(temporary, flags, old === undefined ? 0o666 : 0o600);
  let isDone = false;
  try {
    if (!(await directory.holds(newName, handle))) return undefined; // still empty
    await fill(handle, bytes, old);
    await handle.close();
    if ((await directory.location()) === undefined) return undefined;
    await replace(temporary, target, fileSystem);
    isDone = true;
    return bytes.length;
  } finally {
    if (!isDone) {
      await handle.close().catch(() => {}); // the original error is thrown
      await fileSystem.unlink(temporary).catch(() => {});
    }
  }
}

async function fill(handle: FileHandle, bytes: Uint8Array, old: Stats | undefined): Promise<void> {
  await handle.writeFile(bytes);
  if (old !== undefined) {
    await restoreOwner(handle, old);
    await restoreMode(handle, old);
  }
  await handle.sync();
}

/** Restores the owner and the group or, if the system does not allow it, only the group. */
async function restoreOwner(handle: FileHandle, old: Stats): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid === old.uid && gid === old.gid) return;
  await handle
    .chown(old.uid, old.gid)
    .catch(() => handle.chown(uid, old.gid)) // the members of a group may give their files to the group
    .catch(() => {});
}

const SET_USER_ID = 0o4000;
const SET_GROUP_ID = 0o2000;
const STICKY = 0o1000;

/**
 * Restores the mode, except set-user-id if the user was not preserved. If the group was not preserved, set-group-id is
 * dropped, and the new group gets only the permissions that its members had before: those of everybody.
 */
async function restoreMode(handle: FileHandle, old: Stats): Promise<void> {
  const { uid, gid } = await handle.stat();
  const others = old.mode & 0o007;
  const user = uid === old.uid ? SET_USER_ID : 0;
  const group = gid === old.gid ? SET_GROUP_ID | 0o070 : others << 3;
  const mode = old.mode & (STICKY | 0o707 | user | group);
  try {
    await handle.chmod(mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // BSDs let only root make a file sticky
    const isRefused = code === "EPERM" || code === "EFTYPE" || code === "EINVAL";
    if (!isRefused || mode === (mode & 0o777)) throw error;
    await handle.chmod(mode & 0o777);
  }
}

/** Replaces a file, with retries: on Windows, another program, such as a virus scanner, may have it open. */
async function replace(temporary: string, target: string, fileSystem: FileSystem): Promise<void> {
  for (let pauseMs = 10; ; pauseMs *= 2) {
    try {
      await fileSystem.rename(temporary, target);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isBusy = process.platform === "win32" && (code === "EPERM" || code === "EACCES" || code === "EBUSY");
      if (!isBusy || pauseMs > 500) throw error;
      await delay(pauseMs);
    }
  }
}

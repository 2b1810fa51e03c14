import { constants, type Stats } from "node:fs";
import { fileOrLink } from "./delete-file.js";
import { type FileSystem, statsOf } from "./file-system.js";
import { refusal } from "./refusal.js";
import type { HeldEntry } from "./with-entry.js";

/**
 * Renames a file or a link to a new name that does not exist. The function refuses directories, because not every
 * system has a call that renames a directory without replacing another one. Returns `undefined` if the directory of the
 * old name or of the new name was replaced.
 *
 * @throws {RpcError} `exists` when the new name exists, even if another process has just created it.
 */
export async function renameFile(
  from: HeldEntry,
  to: HeldEntry,
  { path, targetPath }: { readonly path: string; readonly targetPath: string },
  fileSystem: FileSystem,
): Promise<true | undefined> {
  const source = from.directory.entry(from.name);
  const target = to.directory.entry(to.name);
  const file = await fileOrLink(source, path, fileSystem);
  const there = await statsOf(target, fileSystem);
  // On a file system that ignores case, the old and the new name can be two spellings of one name. The existing file is
  // then the same file.
  const isSame = there !== undefined && isSameFile(there, file) && there.nlink === 1;
  if (there !== undefined && !isSame) throw exists(targetPath);
  const locations = await Promise.all([from.directory.location(), to.directory.location()]);
  if (locations.includes(undefined)) return undefined;
  try {
    if (isSame) await fileSystem.rename(source, target);
    else return await renameWithoutReplacing({ source, target, file, to }, fileSystem);
    return true;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? exists(targetPath) : error;
  }
}

interface Renaming {
  readonly source: string;
  readonly target: string;
  readonly file: Stats;
  readonly to: HeldEntry;
}

/** The error codes of a failed hard link if the file system has no hard links, or allows none for this file. */
const NO_HARD_LINK: readonly unknown[] = ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Renames a file by a hard link: creates the new name as a hard link, and then removes the old name. Creating a hard
 * link fails atomically if the new name exists, but `rename` would replace the existing file. If the process is killed
 * between these two steps, the file has both names.
 */
async function renameWithoutReplacing(renaming: Renaming, fileSystem: FileSystem): Promise<true | undefined> {
  const { source, target, file } = renaming;
  // Only Linux creates a hard link to a symbolic link itself; other systems may create a hard link to its target.
  if (file.isSymbolicLink() && process.platform !== "linux") return reserveAndRename(renaming, fileSystem);
  try {
    await fileSystem.link(source, target);
  } catch (error) {
    if (NO_HARD_LINK.includes((error as NodeJS.ErrnoException).code)) return reserveAndRename(renaming, fileSystem);
    throw error;
  }
  try {
    const [left, linked] = [await statsOf(source, fileSystem), await statsOf(target, fileSystem)];
    // If another process has written a new file to the old name, that file is kept.
    if (left !== undefined && linked !== undefined && isSameFile(left, linked)) await fileSystem.unlink(source);
    return true;
  } catch (error) {
    await fileSystem.unlink(target).catch(() => {}); // the old name still exists
    throw error;
  }
}

/** Renames without hard links: creates the new name, which fails if it exists, and replaces that file. */
async function reserveAndRename({ source, target, to }: Renaming, fileSystem: FileSystem): Promise<true | undefined> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const handle = await fileSystem.open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  let isDone = false;
  try {
    if (!(await to.directory.holds(to.name, handle))) return undefined;
    await handle.close();
    await fileSystem.rename(source, target);
    isDone = true;
    return true;
  } finally {
    if (!isDone) {
      await handle.close().catch(() => {}); // the original error is thrown
      await fileSystem.unlink(target).catch(() => {});
    }
  }
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

function exists(targetPath: string): Error {
  return refusal("exists", targetPath, "a file or folder with this name already exists");
}

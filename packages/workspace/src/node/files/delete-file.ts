import type { Stats } from "node:fs";
import { type FileSystem, statsOf } from "./file-system.js";
import { notAFile } from "./system-failure.js";
import type { HeldEntry } from "./with-entry.js";

/** Deletes a file or a link. The function never deletes a directory or the target of a link. */
export async function deleteFile(
  { directory, name }: HeldEntry,
  path: string,
  fileSystem: FileSystem,
): Promise<true | undefined> {
  const entry = directory.entry(name);
  await fileOrLink(entry, path, fileSystem);
  if ((await directory.location()) === undefined) return undefined;
  await fileSystem.unlink(entry);
  return true;
}

/**
 * Returns the stats of an entry that a request deletes or renames.
 *
 * @throws {RpcError} when the entry is neither a file nor a link.
 */
export async function fileOrLink(entry: string, path: string, fileSystem: FileSystem): Promise<Stats> {
  const stats = await statsOf(entry, fileSystem);
  if (stats === undefined) throw Object.assign(new Error("no such file exists"), { code: "ENOENT" });
  if (!stats.isFile() && !stats.isSymbolicLink()) throw notAFile(path);
  return stats;
}
